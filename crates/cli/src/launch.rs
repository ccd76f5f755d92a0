//! From flags to a launch.

use cresta_model::launch::{Grid, Launch};

use crate::arguments::LaunchOptions;
use crate::error::Error;

/// Counts along x, y, z.
pub(crate) type Extent = [u32; 3];
/// Counts along x, y, z that may exceed 32 bits.
pub(crate) type Extent64 = [u64; 3];

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    /// What is left of the last `=`.
    pub(crate) name: String,
    /// A finite number.
    pub(crate) value: f64,
}

/// Parses `NAME=VALUE`; the value is a number, a boolean, or a product of numbers (`4*1024`).
pub(crate) fn parse_assignment(text: &str) -> Result<Assignment, String> {
    let (name, value) = text
        .rsplit_once('=')
        .ok_or_else(|| "write NAME=VALUE, such as d.K=1024".to_owned())?;
    let name = name.trim();
    if name.is_empty() {
        return Err("the name before `=` is empty".to_owned());
    }
    Ok(Assignment {
        name: name.to_owned(),
        value: parse_value(value.trim())?,
    })
}

fn parse_value(text: &str) -> Result<f64, String> {
    match text {
        "true" => return Ok(1.0),
        "false" => return Ok(0.0),
        _ => {}
    }
    text.split('*')
        .map(|part| {
            let digits = part.trim().replace('_', "");
            let number = digits.strip_suffix(['u', 'i', 'f', 'h']).unwrap_or(&digits);
            match number.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => Err(format!("`{part}` is not a number")),
            }
        })
        .product()
}

/// Parses one to three counts above zero, separated by commas; what is left out is 1.
pub(crate) fn parse_extent(text: &str) -> Result<Extent, String> {
    let mut extent = [1; 3];
    for (side, value) in extent.iter_mut().zip(parse_extent64(text)?) {
        *side = u32::try_from(value).map_err(|_| format!("{value} does not fit 32 bits"))?;
    }
    Ok(extent)
}

/// As [`parse_extent`], with counts beyond 32 bits.
pub(crate) fn parse_extent64(text: &str) -> Result<Extent64, String> {
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("write at most three counts: X,Y,Z".to_owned());
    }
    let mut extent = [1; 3];
    for (side, part) in extent.iter_mut().zip(parts) {
        let digits = part.trim().replace('_', "");
        *side = digits
            .parse()
            .ok()
            .filter(|&value| value > 0)
            .ok_or_else(|| format!("`{part}` is not a whole number above zero"))?;
    }
    Ok(extent)
}

/// The launch that the flags describe.
///
/// # Errors
///
/// [`Error::Usage`] where a name is given twice, or a length is not a whole number.
pub(crate) fn launch(options: &LaunchOptions) -> Result<Launch, Error> {
    let grid = match (options.workgroups, options.invocations) {
        (Some(groups), _) => Some(Grid::Workgroups(groups)),
        (None, Some(invocations)) => Some(Grid::Invocations(invocations)),
        (None, None) => None,
    };
    let mut launch = Launch {
        grid,
        ..Launch::default()
    };
    for assignment in once("--set", &options.values)? {
        launch
            .values
            .insert(assignment.name.clone(), assignment.value);
    }
    launch.overrides = overrides(&options.overrides)?;
    for Assignment { name, value } in once("--len", &options.lengths)? {
        launch.lengths.insert(name.clone(), length(name, *value)?);
    }
    Ok(launch)
}

/// Values of override constants; `@3` is the one with that identifier, which the engines call `3`.
///
/// # Errors
///
/// [`Error::Usage`] where a name is given twice.
pub(crate) fn overrides(
    assignments: &[Assignment],
) -> Result<std::collections::BTreeMap<String, f64>, Error> {
    Ok(once("--override", assignments)?
        .iter()
        .map(|Assignment { name, value }| {
            let name = name.strip_prefix('@').unwrap_or(name);
            (name.to_owned(), *value)
        })
        .collect())
}

/// The assignments, if no name is given twice.
fn once<'a>(flag: &str, assignments: &'a [Assignment]) -> Result<&'a [Assignment], Error> {
    for (index, assignment) in assignments.iter().enumerate() {
        let earlier = assignments.get(..index).unwrap_or_default();
        if earlier.iter().any(|other| other.name == assignment.name) {
            return Err(Error::Usage(format!(
                "{flag} gives `{}` twice",
                assignment.name
            )));
        }
    }
    Ok(assignments)
}

fn length(name: &str, value: f64) -> Result<u64, Error> {
    // Below 2⁵³ every whole number has an exact f64, so the conversion loses nothing.
    if value.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&value) {
        return Ok(value as u64);
    }
    Err(Error::Usage(format!(
        "--len {name}={value}: a length is a whole number of elements"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left out is one workgroup, as in the API.
    #[test]
    fn extents() {
        assert_eq!(parse_extent("64"), Ok([64, 1, 1]));
        assert_eq!(parse_extent("64, 32"), Ok([64, 32, 1]));
        assert_eq!(parse_extent("1_024,2,3"), Ok([1024, 2, 3]));
        for bad in ["", "0", "-1", "1,2,3,4", "1.5", "a", "4294967296"] {
            assert!(parse_extent(bad).is_err(), "{bad}");
        }
    }

    /// 2³² invocations along x are more than 32 bits hold.
    #[test]
    fn wide_extents() {
        assert_eq!(parse_extent64("4294967296,2"), Ok([4_294_967_296, 2, 1]));
    }

    #[test]
    fn assignments() {
        let value = |text| parse_assignment(text).map(|assignment| assignment.value);
        assert_eq!(value("d.K=1024"), Ok(1024.0));
        assert_eq!(value("n=1_024u"), Ok(1024.0));
        assert_eq!(value("n=4*1024*1024"), Ok(4_194_304.0));
        assert_eq!(value("scale=-0.5"), Ok(-0.5));
        assert_eq!(value("flag=true"), Ok(1.0));
        for bad in ["d.K", "=3", "d.K=", "d.K=x", "d.K=inf", "d.K=nan"] {
            assert!(parse_assignment(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_given_twice_is_refused() {
        let twice = [
            Assignment {
                name: "T".to_owned(),
                value: 8.0,
            },
            Assignment {
                name: "T".to_owned(),
                value: 16.0,
            },
        ];
        assert!(overrides(&twice).is_err());
    }

    #[test]
    fn lengths_are_whole() {
        assert_eq!(length("A", 1e6).ok(), Some(1_000_000));
        assert!(length("A", 1.5).is_err());
        assert!(length("A", -1.0).is_err());
    }
}
