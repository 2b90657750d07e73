#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gates that a change passes besides the tests:
#
#   - the format of all sources;
#   - the unit tests under AddressSanitizer and UndefinedBehaviorSanitizer, compiled by Clang with warnings as errors;
#   - each source of the libraries compiled by itself;
#   - clang-tidy.
#
#     bash cmake/check_quality.sh [--all]
#
# Where DELASSUS_GREEN names a commit that passed them, they look at what has changed since then: nothing but the format is
# checked where nothing that is compiled has, and only folders that changed are compiled source by source and read by
# clang-tidy. With --all, without DELASSUS_GREEN, and where the history does not have the commit, they look at everything.
set -euo pipefail
green=${DELASSUS_GREEN:-}
case "${1:-}" in
  "") ;;
  --all) green= ;;
  *)
    sed -n '/^# The gates/,/^set/{/^#/s/^# \?//p}' "$0"
    exit $([ "$1" = --help ] && echo 0 || echo 2)
    ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh
git cat-file -e "${green:-none}^{commit}" 2>/dev/null || green=

ensure_packages "libgtest-dev libbullet-dev clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14" \
  "clang++-14 clang-format-14 clang-tidy-14 header:gtest/gtest.h"
cores=$(getconf _NPROCESSORS_ONLN)

say "Format"
git ls-files '*.hpp' '*.cpp' | xargs clang-format-14 --dry-run --Werror

compiled=('*.cpp' '*.hpp' '*.in' '*CMakeLists.txt' '*.cmake' CMakePresets.json)
gates=(.clang-tidy cmake/check_quality.sh cmake/tidy_units.py cmake/system_packages.sh)
if [ -n "$green" ] && git diff --quiet "$green" -- "${compiled[@]}" "${gates[@]}"; then
  say "Nothing that is compiled has changed since $green, which passed the other gates."
  exit
fi

say "Building the unit tests with sanitizers and warnings as errors in build/quality"
# From a cache with another compiler CMake would keep that compiler's name alone, and none of the options of the preset.
rm -f build/quality/CMakeCache.txt
cmake --preset quality
cmake --build --preset quality --parallel "$cores"

say "Compiling ${green:+changed }sources of the libraries alone"
python3 cmake/tidy_units.py build/quality $green --alone | sed '/^$/d' | xargs -r -P "$cores" -d '\n' -n 1 bash -c

# A quarter of a program at a time: a sanitizer takes longer to begin than most tests to run. Not the problems in files,
# which run in a release: ten times slower here, they would take half of the time. Nor the longest ones, of 30 to 100 s here.
say "Running them"
filter='-Files/*:*ProblemsInFiles*:EventDrivenRestart.OfNonlinearRelationsThatDependOnTime:CollisionSimulation.EqualRuns*'
filter+=':CollisionSimulation.RunsOnAnyNumberOfThreads*:LcpProximalSolver.SolvesLargeSparseProblemsWithRedundantRows'
filter+=':LcpsWithDefiniteMatricesThatAreNearlySingular.*:AcceleratedGradientSolver.SolvesHyperstaticContacts'
run_part() { GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$2 timeout 900 "./$1" --gtest_brief=1 "--gtest_filter=$filter"; }
export filter OPENBLAS_NUM_THREADS=1
export -f run_part
(cd build/quality/tests && for part in 0 1 2 3; do printf "%s $part\n" *_tests; done | xargs -P "$cores" -L 1 bash -c 'run_part "$@"' run_part)

say "clang-tidy over ${green:+what changed since $green of }all libraries that need no MPI"
cmake --preset tidy >/dev/null
python3 cmake/tidy_units.py build/tidy $green | xargs -r -P "$cores" -n 1 clang-tidy-14 --quiet -p build/tidy

say "All gates passed."
