# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Installs system packages that are missing. Sourced by the two set-up commands.

say() { printf '== %s\n' "$*"; }

# Prints "debian-12", "ubuntu-24.04" or whatever else this system calls itself.
system_name() {
  if [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091
    (. /etc/os-release && printf '%s-%s' "${ID:-unknown}" "${VERSION_ID:-unknown}")
  else
    uname -s
  fi
}

# What the build needs: compiler, cmake, ninja, Boost >= 1.81, BLAS and LAPACK, SuiteSparse, HDF5, SUNDIALS,
# oneTBB, Qhull, CLI11.
build_packages() {
  case "$1" in
    debian-12) echo libboost1.81-dev libboost-serialization1.81-dev ;;
    debian-13 | ubuntu-24.04) echo libboost-dev libboost-serialization-dev ;;
  esac
  echo g++ cmake ninja-build libopenblas-dev liblapacke-dev libsuitesparse-dev libhdf5-dev libsundials-dev libtbb-dev
  echo libqhull-dev libcli11-dev
}

is_installed() {
  dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Runs a command as root: directly, or by sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_missing() {
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "All system packages are there."
    return
  fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    say "These packages are missing, and without root or sudo they cannot be installed here:"
    printf '   %s\n' "${missing[@]}"
    exit 1
  fi
  say "Installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  # --no-remove: nothing that is there is given up. (Boost 1.81 of Debian 12 excludes its default Boost 1.74.)
  if ! as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends --no-remove "${missing[@]}"; then
    say "apt-get could not install them. If a package above would have to be removed, as libboost1.74-dev by" \
      "libboost1.81-dev, remove it first and run this command again."
    exit 1
  fi
}

# True if a header of this name lies in one of the usual places.
has_header() {
  local folder
  for folder in /usr/include /usr/local/include /opt/homebrew/include; do
    [ -d "$folder" ] || continue
    [ -n "$(find -L "$folder" -maxdepth 4 -path "*/$1" -print -quit 2>/dev/null)" ] && return 0
  done
  return 1
}

# On a system whose package names are not known: lists what is missing and stops, or goes on if nothing is.
require_by_hand() {
  local missing=() item
  local boost
  boost=$(find -L /usr/include /usr/local/include /opt/homebrew/include -maxdepth 3 -path '*/boost/version.hpp' \
    -exec sed -n 's/^#define BOOST_VERSION //p' {} \; -quit 2>/dev/null || true)
  if [ -n "$boost" ] && [ "$boost" -lt 108100 ]; then missing+=("Boost 1.81 or newer (found BOOST_VERSION $boost)"); fi
  command -v c++ >/dev/null || missing+=("a C++20 compiler as c++ (GCC >= 12 or Clang >= 14)")
  for item in "$@"; do
    case "$item" in
      header:*) has_header "${item#header:}" || missing+=("the header ${item#header:}") ;;
      *) command -v "$item" >/dev/null || missing+=("the program $item") ;;
    esac
  done
  if [ ${#missing[@]} -gt 0 ]; then
    say "This system ($(system_name)) is not Debian 12, Debian 13 or Ubuntu 24.04. These are missing:"
    printf '   %s\n' "${missing[@]}"
    say "Install them and run this command again."
    exit 1
  fi
  say "This system ($(system_name)) is not one that is tested, but everything needed seems to be there."
}

# ensure_packages "extra packages" "extra programs and header:... of other systems"
ensure_packages() {
  local system
  system=$(system_name)
  case "$system" in
    debian-12 | debian-13 | ubuntu-24.04)
      # shellcheck disable=SC2046,SC2086
      install_missing $(build_packages "$system") $1
      ;;
    *)
      # shellcheck disable=SC2086
      require_by_hand cmake ninja header:boost/version.hpp header:cblas.h header:lapacke.h \
        header:suitesparse/cholmod.h header:suitesparse/umfpack.h header:hdf5.h header:arkode/arkode_erkstep.h \
        header:tbb/tbb.h header:libqhull_r/libqhull_r.h header:CLI/CLI.hpp $2
      ;;
  esac
}
