#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every solver on every problem file of a folder, at three tolerances: a Markdown page on standard output.
#
#     tests/benchmarks/solver_table.sh build/release/numerics/tools/delassus-solve ../shared/data/problems > docs/solver-table.md
#
# TOLERANCES, TIME_LIMIT (seconds for a solve) and REPEAT may be set in the environment.
set -euo pipefail
if [ $# -ne 2 ]; then
  printf 'usage: %s DELASSUS_SOLVE FOLDER\n' "$0" >&2
  exit 2
fi
program=$1
folder=$2
tolerances=${TOLERANCES:-1e-4,1e-8,1e-12}
limit=${TIME_LIMIT:-10}
repeat=${REPEAT:-3}
export OPENBLAS_NUM_THREADS=1

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
cat <<PAGE
# Solvers on published problems

Made by \`tests/benchmarks/solver_table.sh\`, one thread${processor:+ of $processor}. A cell has the iterations (as the
solver counts them) and the median seconds of $repeat solves, where the answer meets the tolerance of its column in the
error measure as results are published. Elsewhere it says why not, and which error was reached. A dash: the solver does
not take the problem. Time limit of a solve: $limit s. How times are taken is said in [delassus-solve](delassus-solve.md).

PAGE

mapfile -t files < <(find "$folder" -type f \( -name '*.dat' -o -name '*.hdf5' \) | LC_ALL=C sort)
if [ ${#files[@]} -eq 0 ]; then
  printf '%s: no problem files in %s\n' "$0" "$folder" >&2
  exit 1
fi
# That some solver does not solve some problem is what the page is for.
"$program" --solver all --tolerance "$tolerances" --time-limit "$limit" --repeat "$repeat" --markdown "${files[@]}" || true
