#!/usr/bin/env bash
# Everything that a change must pass: format, lints, tests, documentation. Sets up what is missing.
# Generated pages (docs/) are compared with the source by tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

for component in fmt clippy; do
  cargo "$component" --version >/dev/null 2>&1 || rustup component add "${component/fmt/rustfmt}"
done

run() {
  echo "+ $*" >&2
  "$@"
}

run cargo fmt --all --check
run cargo clippy --locked --workspace --all-targets -- -D warnings
run cargo test --locked --workspace
RUSTDOCFLAGS='-D warnings' run cargo doc --locked --workspace --no-deps
