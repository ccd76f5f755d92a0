# Makes sure that this machine can build the workspace. Sourced by the other scripts.
#
# What is needed: a C linker, and Rust with rustfmt and clippy. On Debian and its relatives the
# linker is installed where that needs no password; Rust is installed by rustup where there is none.

minimum_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
  if command -v apt-get >/dev/null && as_root true 2>/dev/null; then
    echo "installing $*" >&2
    as_root apt-get update -qq &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
  else
    return 1
  fi
}

if ! command -v cc >/dev/null && ! install_packages gcc libc6-dev; then
  echo "error: no C linker (cc) was found." >&2
  echo "  Debian, Ubuntu: apt-get install gcc libc6-dev" >&2
  echo "  Fedora:         dnf install gcc" >&2
  echo "  Arch:           pacman -S gcc" >&2
  echo "  macOS:          xcode-select --install" >&2
  exit 1
fi

if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
  PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
fi

if ! command -v cargo >/dev/null; then
  command -v curl >/dev/null || install_packages curl ca-certificates || {
    echo "error: Rust is missing, and so is curl to install it with (https://rustup.rs)." >&2
    exit 1
  }
  echo "installing Rust with rustup" >&2
  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |
    sh -s -- -y --profile minimal --component rustfmt --component clippy >&2
  PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
fi

rust=$(rustc --version | cut -d ' ' -f 2)
if [ "$(printf '%s\n' "$minimum_rust" "${rust%%-*}" | sort -V | head -n 1)" != "$minimum_rust" ]; then
  echo "error: Rust $minimum_rust or later is needed, this is $rust: run 'rustup update stable'" >&2
  exit 1
fi
