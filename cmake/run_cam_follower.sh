#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs missing system packages, builds a release and runs the cam follower by both methods: time series and phase
# planes at 358, 660 and 700 rpm, the maps at 660 rpm and a coarse bifurcation diagram. May be run again at any time; what is
# done already is not done again.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

ensure_packages "libbullet-dev gnuplot-nox fonts-dejavu-core" \
  "gnuplot header:BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

say "Building a release of what runs here in build/examples"
cmake --preset examples -DDELASSUS_UNITY_BUILD=ON
build() { cmake --build --preset examples --parallel "$(getconf _NPROCESSORS_ONLN)" --target "$@"; }
build cam_follower

results=$root/results/cam_follower
programs=$root/build/examples/examples
scripts=$root/examples/cam_follower
for rpm in 358 660 700; do
  for method in time-stepping event-driven; do
    say "Cam follower at $rpm rpm, 5 s, $method"
    "$programs/cam_follower" --rpm "$rpm" --end 5 --step 1e-4 --every 2 --method "$method" \
      --output "$results/$method/rpm_$rpm"
  done
done
say "Drawing figures 14.2 and 14.3"
gnuplot -c "$scripts/figures.gp" "$results"

build cam_maps cam_bifurcation
maps=()
for method in time-stepping event-driven; do
  say "Impact map and stroboscopic map at 660 rpm over 5000 turns, $method"
  "$programs/cam_maps" --rpm 660 --turns 5000 --step 5e-5 --method "$method" --output "$results/maps_$method" &
  maps+=($!)
done
for map in "${maps[@]}"; do wait "$map"; done
gnuplot -c "$scripts/maps.gp" "$results/maps_time-stepping" "time stepping" "$results/maps_event-driven" "event-driven"

say "Bifurcation diagram from 300 to 800 rpm, event-driven; if it is interrupted, run this command again"
"$programs/cam_bifurcation" --from 300 --to 800 --rpm-step 2.5 --transient 150 --turns 60 --method event-driven \
  --output "$results/bifurcation"
gnuplot -c "$scripts/bifurcation.gp" "$results/bifurcation" "event-driven"

say "Done. Tables and pictures are in $results:"
find "$results" -type f \( -name '*.csv' -o -name '*.png' \) -not -path '*/bifurcation/rpm_*' | sort | sed 's/^/   /'
