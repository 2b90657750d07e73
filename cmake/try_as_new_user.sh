#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a new user of the packages goes through, in an empty root file system without the source tree: installs the Debian
# packages with what they depend on, a compiler, CMake and gnuplot; takes the program and the CMake lines out of README.md
# as they stand there, builds, runs and plots them; does the same with a model of the user's own, by CMake and by
# pkg-config; removes the packages and looks for anything left behind. As root, on Debian 12, Debian 13 or Ubuntu 24.04:
#
#     bash cmake/try_as_new_user.sh [folder of the .deb packages; they are built without it]
#
# Tables and pictures are left in results/new_user. The root file system lies in a folder under ${TMPDIR:-/tmp} (1.5 GB)
# and is removed at the end; the mirror and the proxy are those of this system's apt.
# shellcheck disable=SC2016  # what is to expand inside stands in single quotes
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. cmake/system_packages.sh
. cmake/bare_system.sh

packages=${1:-}
if [ -z "$packages" ]; then
  ensure_packages libbullet-dev ""
  say "Building the packages"
  cmake --preset package
  cmake --build --preset package --parallel "$(getconf _NPROCESSORS_ONLN)"
  (cd build/package && cpack)
  packages=build/package/packages
fi
packages=$(cd "$packages" && pwd)
ls "$packages"/*.deb >/dev/null || fail "there is no package in $packages."

work=$(mktemp -d "${TMPDIR:-/tmp}/delassus_new_user.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
# shellcheck disable=SC1091
make_bare_system "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/system" "$work/debootstrap.log"

quietly() {
  "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "$*"; }
}

quietly inside apt-get update
say "Installing a compiler, CMake, pkg-config and gnuplot"
quietly inside apt-get install -y --no-install-recommends g++ cmake ninja-build pkgconf gnuplot-nox fonts-dejavu-core
inside dpkg-query -W -f='${Package}\n' | sort >"$work/before"

say "Installing the packages"
mkdir "$system/packages"
cp "$packages"/*.deb "$system/packages"
quietly inside sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'
names=$(for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Package; done)
# shellcheck disable=SC2086
inside dpkg-query -W -f='   ${Package} ${Version}\n' $names
# shellcheck disable=SC2086
inside dpkg-query -L $names | sort -u | while read -r path; do
  [ -d "$system$path" ] || echo "$path"
done >"$work/installed"

# The user: a home folder, and the README.
inside useradd --create-home user
home=$system/home/user
as_user() {
  chroot --userspec=user:user "$system" env -i PATH=/usr/bin:/bin HOME=/home/user LC_ALL=C.UTF-8 bash -euo pipefail -c "cd ~; $1"
}

# block language [heading]: the first block of this language in README.md, or in its section of this heading.
block() {
  awk -v fence="\`\`\`$1" -v heading="${2:-}" '
    heading != "" && /^## / { here = ($0 == "## " heading) }
    inside && /^```/ { exit }
    inside { print }
    (heading == "" || here) && $0 == fence { inside = 1 }' README.md
}

# The README's lines as they stand; a program and the project around them where they are not in the block.
cmake_project() {
  local lines
  lines=$(block cmake "Use it in a project")
  [ -n "$lines" ] || fail "README.md has no block cmake under '## Use it in a project'."
  if grep -q '^project(' <<<"$lines"; then
    echo "$lines"
    return
  fi
  printf 'cmake_minimum_required(VERSION 3.22)\nproject(my_program LANGUAGES CXX)\n'
  grep '^find_package' <<<"$lines"
  printf 'add_executable(my_program main.cpp)\n'
  grep -v '^find_package' <<<"$lines"
}

expect_picture() {
  [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "$1 is no PNG picture."
  [ "$(stat -c %s "$1")" -gt 3000 ] || fail "$1 is an empty picture."
}

say "The program of README.md: building, running, plotting"
mkdir "$home/ball" "$home/masses"
block cpp >"$home/ball/main.cpp"
[ -s "$home/ball/main.cpp" ] || fail "README.md has no block cpp."
cmake_project >"$home/ball/CMakeLists.txt"
cp tests/package/new_user/two_masses.cpp "$home/masses/main.cpp"
cp "$home/ball/CMakeLists.txt" "$home/masses"
inside chown -R user:user /home/user
# The commands of README.md where it has some, which leave ball.dat and ball.png.
block sh "Use it in a project" >"$home/ball/commands.sh"
[ -s "$home/ball/commands.sh" ] || cat >"$home/ball/commands.sh" <<'END'
cmake -S . -B build -G Ninja && cmake --build build
build/my_program > ball.dat
gnuplot -e "set terminal pngcairo; set output 'ball.png'; set xlabel 't [s]'; set ylabel 'q [m]'; plot 'ball.dat' with lines notitle"
END
sed 's/^/   /' "$home/ball/commands.sh"
as_user 'cd ball && bash -e commands.sh' >"$work/log" 2>&1 || {
  tail -n 30 "$work/log"
  fail "the commands for the program of README.md."
}
expect_picture "$home/ball/ball.png"
# A ball from 1 m with restitution 0.9 stays between floor and 1 m, and comes to 0.81 m after its first impact.
awk '{ if ($2 < -1e-2 || $2 > 1) bad = 1; if ($1 > 0.5 && $2 > top) top = $2 }
  END { exit bad || NR < 1000 || top < 0.8 || top > 0.82 }' "$home/ball/ball.dat" || fail "the ball does not bounce as it should."

say "An own model, two masses with a stop: by CMake, by pkg-config, plotting"
as_user 'cd masses && cmake -S . -B build -G Ninja && cmake --build build' >"$work/log" 2>&1 || {
  tail -n 30 "$work/log"
  fail "the own model does not build by CMake."
}
as_user 'cd masses && build/my_program masses.csv'
as_user 'cd masses && g++ -std=c++20 -O1 main.cpp -o by_pkg_config $(pkg-config --cflags --libs delassus-kernel)'
as_user 'cd masses && ./by_pkg_config again.csv >/dev/null'
[ -s "$home/masses/again.csv" ] || fail "the program by pkg-config wrote nothing."
as_user "cd masses && gnuplot -e \"set terminal pngcairo; set output 'masses.png'; set datafile separator ','; \
set key autotitle columnhead; set xlabel 't [s]'; plot 'masses.csv' using 1:2 with lines, '' using 1:3 with lines\""
expect_picture "$home/masses/masses.png"

if [ -x "$system/usr/bin/delassus-solve" ]; then
  say "A problem file on the command line"
  echo '2 0 2 2 2 2 2 1 1 2 -5 -6' >"$home/lcp.dat"
  as_user 'delassus-solve lcp.dat'
fi
mkdir -p results/new_user
cp "$home"/*/*.dat "$home"/*/*.csv "$home"/*/*.png results/new_user

say "Removing the packages"
# shellcheck disable=SC2086
quietly inside apt-get purge -y $names
quietly inside apt-get autoremove -y --purge
inside dpkg-query -W -f='${Package}\n' | sort >"$work/after"
left=$(comm -13 "$work/before" "$work/after")
[ -z "$left" ] || fail "these packages are left: $left"
while read -r path; do
  [ ! -e "$system$path" ] || fail "$path is left."
done <"$work/installed"
rm -rf "$system/packages" "$home"
left=$(find "$system" -xdev -iname '*delassus*' -not -path "$system/proc/*")
[ -z "$left" ] || fail "these are left: $left"
inside ldconfig -p | grep -i delassus && fail "the cache of the loader still knows the libraries."
say "All well. Nothing is left of $(wc -l <"$work/installed") files. Tables and pictures are in results/new_user."
