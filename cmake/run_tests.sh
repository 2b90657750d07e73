#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what the tests need, builds a release and runs all tests. May be run again at any time; what is done already is
# not done again. With --mpi, Delassus::distributed too, whose tests run on 1 to 4 ranks; options of CMake may follow:
#
#     bash cmake/run_tests.sh [--mpi] [-DNAME=VALUE ...]
set -euo pipefail
mpi=OFF packages= headers= options=(-DDELASSUS_WARNINGS_AS_ERRORS=OFF)
for argument; do
  case "$argument" in
    --mpi) mpi=ON packages="mpi-default-dev petsc-dev" headers=mpirun ;;
    -D?*=*) options+=("$argument") ;;
    *)
      sed -n '/^# Installs/,/^set/{/^#/s/^# \?//p}' "$0"
      exit $([ "$argument" = --help ] && echo 0 || echo 2)
      ;;
  esac
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

ensure_packages "libgtest-dev libbenchmark-dev libbullet-dev libeigen3-dev pkgconf doxygen gnuplot-nox ngspice fonts-dejavu-core python3 python3-sphinx python3-myst-parser furo python3-h5py python3-vtk9 xvfb xauth $packages" "$headers gnuplot ngspice doxygen header:gtest/gtest.h header:benchmark/benchmark.h header:BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

say "Building a release in build/release"
cmake --preset release -DDELASSUS_BUILD_BENCHMARKS=ON -DDELASSUS_WITH_MPI=$mpi -DDELASSUS_UNITY_BUILD=ON "${options[@]}"
cmake --build --preset release --parallel "$(getconf _NPROCESSORS_ONLN)"

say "Running all tests"
# One thread a test: tests run side by side already.
OPENBLAS_NUM_THREADS=1 ctest --preset release --parallel "$(getconf _NPROCESSORS_ONLN)"
