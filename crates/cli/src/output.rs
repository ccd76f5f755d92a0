//! Writing: standard output, a file, complaints. Styles reach terminals alone, and `NO_COLOR` is
//! honoured.

use std::fs;
use std::io::{ErrorKind, Write};

use anstream::adapter::strip_str;
use cresta_report::text::Options;

use crate::arguments::OutputOptions;
use crate::error::Error;

/// Writes a whole result. A reader that went away (`| head`) is no fault.
///
/// # Errors
///
/// [`Error::Write`].
pub(crate) fn write(options: &OutputOptions, text: &str) -> Result<(), Error> {
    if let Some(path) = &options.output {
        return fs::write(path, strip_str(text).to_string()).map_err(|reason| Error::Write {
            to: path.display().to_string(),
            reason,
        });
    }
    let mut stdout = anstream::stdout();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(reason) if reason.kind() != ErrorKind::BrokenPipe => Err(Error::Write {
            to: "standard output".to_owned(),
            reason,
        }),
        _ => Ok(()),
    }
}

/// Writes why the command failed.
pub(crate) fn complain(error: &Error) {
    let text = match error {
        Error::Drawn(text) => text.clone(),
        other => format!("error: {other}"),
    };
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// How text is shown here.
pub(crate) fn text_options(verbose: bool) -> Options {
    Options {
        verbose,
        unicode: locale_shows_unicode(|name| std::env::var(name).ok()),
        ..Options::default()
    }
}

/// Whether the locale that POSIX would take is UTF-8; with no locale set at all, it is assumed.
fn locale_shows_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LC_ALL outranks LANG, and an empty variable counts as unset.
    #[test]
    fn locales() {
        let shows = |all: &'static str, lang: &'static str| {
            locale_shows_unicode(move |name| match name {
                "LC_ALL" => Some(all.to_owned()),
                "LANG" => Some(lang.to_owned()),
                _ => None,
            })
        };
        assert!(shows("", "en_US.UTF-8"));
        assert!(!shows("C", "en_US.UTF-8"));
        assert!(shows("", ""));
        assert!(!shows("", "POSIX"));
    }
}
