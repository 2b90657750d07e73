# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Makes a bare root file system of a named release with debootstrap, and runs commands in it. Sourced by the scripts that
# try the project there, after system_packages.sh.

fail() {
  say "FAILED: $*"
  exit 1
}

# make_bare_system suite folder log: the mirror and the proxy are those of this system's apt, which must know a release
# of the same distribution. Sets what `inside` uses.
make_bare_system() {
  local suite=$1 keyring components distribution mirror
  system=$2
  [ "$(id -u)" -eq 0 ] || fail "a root file system of one's own needs root; run this with sudo."
  case "$suite" in
    bookworm | trixie) distribution=debian components=main ;;
    noble) distribution=ubuntu components=main,universe ;;
    *) fail "the release is bookworm, trixie (Debian 12, 13) or noble (Ubuntu 24.04), and here it is '$suite'." ;;
  esac
  keyring=/usr/share/keyrings/$distribution-archive-keyring.gpg
  is_installed debootstrap || install_missing debootstrap
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep "/$distribution/*\$" | head -n 1 || true)
  [ -n "$mirror" ] || fail "apt knows no mirror of $distribution here."
  proxy=$(apt-config shell proxy Acquire::http::Proxy | sed "s/^proxy='\(.*\)'$/\1/")
  [ -z "$proxy" ] || export http_proxy=$proxy
  say "Making a bare system of $suite"
  debootstrap --variant=minbase --keyring="$keyring" --components="$components" "$suite" "$system" "$mirror" \
    >"$3" 2>&1 || { tail "$3"; fail "debootstrap."; }
}

# inside command...: as root in the bare system, with an empty environment.
inside() {
  chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${proxy:+http_proxy="$proxy"} "$@"
}
