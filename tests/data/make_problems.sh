#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the problems of tests/data/problems again: one-step problems of runs of the examples, each that of the run's last
# step, and of the models in save_problems.cpp. docs/test-data.md lists them. Other compilers and libraries may change
# their last digits; the tests hold for any.
#
#     bash tests/data/make_problems.sh [BUILD [FOLDER]]
#
# BUILD is build/release, in which the examples and save_problems are built before; FOLDER is
# tests/data/problems.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "${1:-$root/build/release}")
folder=${2:-$root/tests/data/problems}
cmake --build "$build" --target save_problems examples/all
mkdir -p "$folder"
folder=$(realpath "$folder")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# save FILE EXAMPLE ARGUMENTS...
save() {
  local file=$1 example=$2
  shift 2
  echo "$file: $example $*"
  "$build/examples/$example" "$@" --output "$work" --save-problem "$(basename "$file")" > "$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
  mkdir -p "$(dirname "$folder/$file")"
  mv "$work/$(basename "$file")" "$folder/$file"
}

# Beads that lie on each other, that hit each other, that pile up; a stop; circuits.
save lcp/column_at_rest.dat column_of_beads --beads 12 --restitution 0 --end 2
save lcp/column_bounces.dat column_of_beads --beads 12 --end 0.912
save lcp/long_column_lands.dat column_of_beads --beads 60 --distance 0.2 --height 0.15 --restitution 0 --end 0.3
save lcp/pendulum_at_stop.dat pendulum_with_stop --restitution 0.1 --end 0.638
save lcp/diode_bridge.dat diode_bridge --end 1e-3
save lcp/rectifier_charges.dat diode_bridge_filter --end 0.005
save lcp/colpitts.dat colpitts --end 1e-4

# Relays that slide, alone and in pairs, that switch, and the joints, stops and dry friction of a chain.
save relay/relay_slides.dat relay_feedback --end 80
save relay/relay_cycles.dat relay_feedback --mode limit_cycle --end 10
save relay/filippov_spiral.dat filippov --step 1e-3 --end 0.5
save relay/filippov_slides.dat filippov --step 1e-3 --end 2
save relay/gene_network.dat gene_network --end 1
save relay/ideal_switch.dat ideal_switch --end 0.01
save relay/buck_converter.dat buck_converter --end 1e-3
save relay/knee_swings.dat knee --end 0.5
save relay/knee_hangs.dat knee --friction 0.2 --end 3
save relay/long_chain_at_stops.dat knee --links 12 --limit 0.2 --end 1.431

save friction2d/slider_in_clearance.dat slider_crank --end 0.00272
save friction2d/woodpecker.dat woodpecker --end 0.2

# One face on a plane: eight corners are tested and four touch, with six velocities; sticking, sliding, on an edge.
save friction3d/block_rests.dat rocking_block --tilt 0.01 --end 1
save friction3d/block_rocks.dat rocking_block --end 0.3
save friction3d/box_sticks.dat sliding_box --shaking 0 --end 0.2
save friction3d/box_slides.dat sliding_box --mu 0.1 --yaw 3 --end 0.2
save friction3d/sphere_hits_belt.dat bouncing_sphere_with_spin --step 1e-3 --end 0.453
save friction3d/top_tip.dat spinning_top --end 0.5
# Dry walls: standing, hit by the ball, falling; spheres that fill a hopper and run out.
save friction3d/wall_stands.hdf5 wall --rows 3 --columns 3 --end 0.29
save friction3d/wall_is_hit.dat wall --rows 3 --columns 3 --end 0.3075
save friction3d/slippery_wall_is_hit.hdf5 wall --rows 3 --columns 3 --friction 0.1 --end 0.31
save friction3d/wall_falls.dat wall --rows 4 --columns 3 --end 0.45
save friction3d/hopper_at_gate.hdf5 hopper --spheres 60 --gate 0.5 --end 0.5
save friction3d/hopper_flows.dat hopper --spheres 60 --gate 0.5 --end 0.75

# A loop of pivots with three redundant equations and a pin in a bushing: in contact and in flight.
save mechanical/four_bar_in_contact.dat four_bar --step 2e-4 --end 0.5
save mechanical/four_bar_with_dry_pin.dat four_bar --step 2e-4 --friction 0.8 --restitution 0 --end 0.8

"$build/tests/save_problems" "$folder"
