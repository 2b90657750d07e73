#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gates that a change passes besides the tests: format, clang-tidy, the unit tests under AddressSanitizer and
# UndefinedBehaviorSanitizer with warnings as errors, and how much of the libraries these tests run:
#
#     bash cmake/check_quality.sh [--all]
#
# The folders of the libraries are compiled as one source each there; then each source by itself, with the precompiled
# header of its library, as where folders are not joined. Where DELASSUS_GREEN names a commit that passed, this and clang-tidy read only folders with a change since
# then; with --all, without DELASSUS_GREEN, and where the history does not have the commit, all of them.
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

ensure_packages "libgtest-dev libbullet-dev clang-14 clang-format-14 clang-tidy-14 gcovr" \
  "clang++-14 clang-format-14 clang-tidy-14 gcovr header:gtest/gtest.h"
cores=$(getconf _NPROCESSORS_ONLN)

say "Format"
git ls-files '*.hpp' '*.cpp' | xargs clang-format-14 --dry-run --Werror

say "Building the unit tests with sanitizers, coverage and warnings as errors in build/quality"
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

say "Coverage of the libraries by the unit tests"
gcovr --root "$root" --object-directory build/quality --filter kernel/ --filter numerics/ --exclude '.*/tools/.*' \
  --exclude-unreachable-branches --exclude-throw-branches -j "$cores" --print-summary --output build/quality/coverage.txt
echo "By file: build/quality/coverage.txt"

say "clang-tidy over ${green:+what changed since $green of }all libraries that need no MPI"
cmake --preset tidy >/dev/null
python3 cmake/tidy_units.py build/tidy $green | xargs -r -P "$cores" -n 1 clang-tidy-14 --quiet -p build/tidy

say "All gates passed."
