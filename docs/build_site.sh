#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing and builds the site of the documentation: build/examples/site/index.html, to be opened from the
# file system. With --gallery the examples are built and run first, and the site shows what they draw.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

ensure_packages "doxygen python3-sphinx python3-myst-parser furo gnuplot-nox fonts-dejavu-core" "doxygen sphinx-build gnuplot"

cmake --preset examples
if [ "${1:-}" = --gallery ]; then
  say "Building and running the examples"
  cmake --build --preset examples --target gallery
fi
say "Building the site"
cmake --build --preset examples --target site
