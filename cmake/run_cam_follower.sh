#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing system packages, builds a release, runs the cam follower at 358, 660 and 700 rpm and draws the notes'
# figures 14.2 and 14.3. May be run again at any time; what is done already is not done again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

ensure_packages "libbullet-dev gnuplot-nox fonts-dejavu-core" "gnuplot"

say "Building a release in build/examples"
cmake --preset examples
cmake --build --preset examples --parallel "$(getconf _NPROCESSORS_ONLN)"

results=$root/results/cam_follower
for rpm in 358 660 700; do
  say "Cam follower at $rpm rpm, 5 s, h = 1e-4 s"
  build/examples/examples/cam_follower --rpm "$rpm" --end 5 --step 1e-4 --output "$results/rpm_$rpm"
done

say "Drawing figures 14.2 and 14.3"
gnuplot -c examples/cam_follower/figures.gp "$results"

say "Done. Trajectories and pictures are in $results:"
find "$results" -type f \( -name '*.csv' -o -name '*.png' \) | sort | sed 's/^/   /'
