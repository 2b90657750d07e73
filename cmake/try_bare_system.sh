#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs both commands of README.md in a bare root file system of a named release, from a clone of the last commit and
# nothing else, and tells what each took:
#
#     bash cmake/try_bare_system.sh bookworm|trixie|noble [folder of test data]      (Debian 12, 13, Ubuntu 24.04)
#
# As root. The root file system lies in a folder under ${TMPDIR:-/tmp} (8 GB) and is removed at the end.
# shellcheck disable=SC2016  # what is to expand inside stands in single quotes
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh
. cmake/bare_system.sh

suite=${1:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/delassus_bare_system.XXXXXX")
trap '! mountpoint -q "$work/system/proc" || umount -l "$work/system/proc"; rm -rf --one-file-system "$work"' EXIT
make_bare_system "$suite" "$work/system" "$work/debootstrap.log"
mount -t proc proc "$work/system/proc"

mkdir -p results
git clone --quiet --no-hardlinks . "$work/system/home/clone"
[ -z "${2:-}" ] || cp -r "$2" "$work/system/home/data"

# try script: runs it, and tells how it ended and how long it took.
try() {
  local script=$1 log=$root/results/$suite-$1.log start=$SECONDS result=passed picture
  say "bash cmake/$script in $suite"
  inside env ${2:+"$2"} bash "/home/clone/cmake/$script" >"$log" 2>&1 || result=FAILED
  say "bash cmake/$script in $suite: $result after $((SECONDS - start)) s"
  picture=$(find "$work/system/home/clone/results" -name '*.png' -printf '%T@\n' 2>/dev/null | sort -n | head -n 1)
  [ -z "$picture" ] || echo "   The first picture came after $((${picture%.*} - began)) s."
  grep -E 'tests passed|tests failed|Skipped' "$log" | sed 's/^/   /' || true
  [ "$result" = passed ] || { tail -n 30 "$log"; fail "see $log."; }
}

began=$(date +%s)
try run_cam_follower.sh
rm -rf "$work/system/home/clone/results"
try run_tests.sh ${2:+DELASSUS_TEST_DATA=/home/data}
