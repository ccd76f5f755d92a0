#!/usr/bin/env bash
# Analyses a tiled matrix product of the kernel library. Needs no GPU; sets up what is missing.
# Further arguments go to `cresta analyze`, such as --verbose or --machine rtx-4090.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

exec cargo run --locked --quiet --release --bin cresta -- \
  analyze crates/kernels/wgsl/matmul_tiled.wgsl \
  --workgroups 64,64 --set d.M=1024 --set d.N=1024 --set d.K=1024 "$@"
