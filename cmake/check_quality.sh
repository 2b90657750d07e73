#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The gates that a change passes besides the tests: format, clang-tidy, the unit tests under AddressSanitizer and
# UndefinedBehaviorSanitizer with warnings as errors, and how much of the libraries these tests run. clang-tidy checks
# the sources that the last commits have touched, and all with --all:
#
#     bash cmake/check_quality.sh [--all]
set -euo pipefail
case "${1:-}" in
  "" | --all) ;;
  *)
    sed -n '/^# The gates/,/^set/{/^#/s/^# \?//p}' "$0"
    exit $([ "$1" = --help ] && echo 0 || echo 2)
    ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh

ensure_packages "libgtest-dev libbullet-dev clang-14 clang-format-14 clang-tidy-14 gcovr" \
  "clang++-14 clang-format-14 clang-tidy-14 gcovr header:gtest/gtest.h"
cores=$(getconf _NPROCESSORS_ONLN)

say "Format"
git ls-files '*.hpp' '*.cpp' | xargs clang-format-14 --dry-run --Werror

say "Building the unit tests with sanitizers, coverage and warnings as errors in build/quality"
cmake --preset quality
cmake --build --preset quality --parallel "$cores"

# Whole programs: a sanitizer takes longer to begin than most tests to run.
say "Running them"
(cd build/quality/tests && printf '%s\n' *_tests |
  OPENBLAS_NUM_THREADS=1 xargs -P "$cores" -I{} timeout 900 ./{} --gtest_brief=1)

say "Coverage of the libraries by the unit tests"
gcovr --root "$root" --object-directory build/quality --filter kernel/ --filter numerics/ --exclude '.*/tools/.*' \
  --exclude-unreachable-branches --exclude-throw-branches -j "$cores" --print-summary --output build/quality/coverage.txt
echo "By file: build/quality/coverage.txt"

# Headers are checked with the sources that include them.
commits=40
before=$(git log -n 1 --skip="$commits" --format=%H -- kernel numerics)

without_comments() { sed 's#//.*##' | tr -d '[:space:]'; }

# Files whose code, not only its comments, has changed since that commit.
changed() {
  git diff --name-only --diff-filter=AMR "$before" -- 'kernel/*.[ch]pp' 'numerics/*.[ch]pp' | while read -r file; do
    cmp -s <(git show "$before:$file" 2>/dev/null | without_comments) <(without_comments <"$file") || echo "$file"
  done
}

sources() {
  if [ "${1:-}" = --all ] || [ -z "$before" ]; then
    git ls-files 'kernel/*.cpp' 'numerics/*.cpp'
  else
    # For a header, the source of the same name.
    changed | sed 's/\.[ch]pp$/.cpp/' | sort -u | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
  fi
}
list=$(sources "${1:-}")
cmake --preset tidy >/dev/null
# Those that need MPI are not in this build.
list=$(printf '%s\n' "$list" | grep -vE '/distributed/|_mpi\.cpp$' || true)
mapfile -t files < <(printf '%s' "$list")
say "clang-tidy over ${#files[@]} sources"
[ ${#files[@]} -eq 0 ] || printf '%s\n' "${files[@]}" | xargs -P "$cores" -n 4 clang-tidy-14 --quiet -p build/tidy

say "All gates passed."
