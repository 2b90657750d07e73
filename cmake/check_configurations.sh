#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the library in all its configurations, each with warnings as errors, runs the tests that tell them apart and a
# program against the installed package, by find_package and by pkg-config:
#
#     bash cmake/check_configurations.sh [configuration ...]      (all without one; --list prints their names)
#
# DELASSUS_CHECK_ARGUMENTS may hold further arguments for cmake, as -DCMAKE_BUILD_TYPE=Release; without, it is a debug
# build without optimisation. All configurations of one compiler share a build folder, so that each compiles only what
# differs from the one before.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

with=(DELASSUS_WITH_SUITESPARSE DELASSUS_WITH_HDF5 DELASSUS_WITH_SUNDIALS DELASSUS_WITH_QHULL DELASSUS_WITH_TBB
  DELASSUS_BUILD_COLLISION DELASSUS_BUILD_TOOLS DELASSUS_BUILD_EXAMPLES DELASSUS_BUILD_TESTS BUILD_SHARED_LIBS)

# What a configuration has OFF; the rest is ON, except shared libraries.
off_in() {
  case "$1" in
    *-static) echo BUILD_SHARED_LIBS ;;
    *-without-suitesparse) echo DELASSUS_WITH_SUITESPARSE BUILD_SHARED_LIBS ;;
    *-without-hdf5) echo DELASSUS_WITH_HDF5 BUILD_SHARED_LIBS ;;
    *-without-sundials) echo DELASSUS_WITH_SUNDIALS BUILD_SHARED_LIBS ;;
    *-without-qhull) echo DELASSUS_WITH_QHULL BUILD_SHARED_LIBS ;;
    *-without-tbb) echo DELASSUS_WITH_TBB BUILD_SHARED_LIBS ;;
    *-without-collision) echo DELASSUS_BUILD_COLLISION BUILD_SHARED_LIBS ;;
    *-without-programs) echo DELASSUS_BUILD_TOOLS DELASSUS_BUILD_EXAMPLES DELASSUS_BUILD_TESTS BUILD_SHARED_LIBS ;;
    *-minimal) echo "${with[@]}" ;;
    *-minimal-shared) echo "${with[@]/BUILD_SHARED_LIBS/}" ;;
    *-shared) echo ;;
    *) return 1 ;;
  esac
}

names=(gcc-{static,without-{suitesparse,hdf5,sundials,qhull,tbb,collision,programs},minimal,shared,minimal-shared}
  clang-{static,minimal,shared})
if [ "${1:-}" = --list ]; then
  printf '%s\n' "${names[@]}"
  exit
fi
[ $# -eq 0 ] || names=("$@")

# is_on option configuration
is_on() {
  local option
  for option in $(off_in "$2"); do
    [ "$option" != "$1" ] || return 1
  done
}

check() {
  local name=$1 compiler=g++ build option arguments=() targets=(delassus_numerics delassus_kernel) tests=()
  [ "${name%%-*}" = gcc ] || compiler=$(command -v clang++ clang++-14 | head -n 1)
  build=$root/build/check-${name%%-*}
  for option in "${with[@]}"; do
    if is_on "$option" "$name"; then arguments+=("-D$option=ON"); else arguments+=("-D$option=OFF"); fi
  done
  # shellcheck disable=SC2086  # several arguments
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
    -DCMAKE_CXX_COMPILER="$compiler" -DDELASSUS_WARNINGS_AS_ERRORS=ON "${arguments[@]}" \
    ${DELASSUS_CHECK_ARGUMENTS:-} || return 1
  ! is_on DELASSUS_BUILD_COLLISION "$name" || targets+=(delassus_collision)
  ! is_on DELASSUS_BUILD_TOOLS "$name" || targets+=(delassus_solve)
  ! is_on DELASSUS_BUILD_EXAMPLES "$name" || targets+=(bouncing_ball cam_follower)
  if is_on DELASSUS_BUILD_TESTS "$name"; then
    tests=(numerics_tests io_tests event_driven_tests)
    targets+=("${tests[@]}")
  fi
  cmake --build "$build" --target "${targets[@]}" || return 1
  for option in "${tests[@]}"; do
    OPENBLAS_NUM_THREADS=1 timeout 300 "$build/tests/$option" --gtest_brief=1 || return 1
  done
  if is_on DELASSUS_BUILD_EXAMPLES "$name"; then
    timeout 100 "$build/examples/bouncing_ball" --output "$build/example" || return 1
  fi
  option=OFF
  ! is_on DELASSUS_BUILD_COLLISION "$name" || option=ON
  cmake -D BUILD_DIR="$build" -D SOURCE_DIR="$root/tests/package/consumer" -D WORK_DIR="$build/package" \
    -D COLLISION=$option -D GENERATOR=Ninja -D CXX_COMPILER="$compiler" -D CXX_FLAGS= -P tests/package/RunConsumer.cmake
}

mkdir -p build
failed=0
for name in "${names[@]}"; do
  off_in "$name" >/dev/null || {
    say "There is no configuration $name; see --list."
    exit 1
  }
  if check "$name" >"build/check-$name.log" 2>&1; then
    say "$name: well"
  else
    say "$name: FAILED; the end of build/check-$name.log:"
    tail -n 20 "build/check-$name.log"
    failed=1
  fi
done
exit $failed
