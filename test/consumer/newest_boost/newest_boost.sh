#!/usr/bin/env bash
# Gets the headers of the newest Boost that Debian has from its archive, once, and runs a command with them:
# newest_boost.sh <folder, in whose boost/usr/include they are then> <command...>
set -euo pipefail
scratch=$1
shift
leave_out() {
    printf 'left out: %s\n' "$1" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

# Apt with nothing of the system's but its keys: what is installed is neither read nor changed.
in_archive() {
    "$@" -qq -o Dir::Etc::sourcelist="$scratch/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$scratch/apt" \
        -o Dir::State::status="$scratch/apt/status" -o Dir::Cache="$scratch/apt/cache" -o Acquire::Languages=none
}

get_headers() {
    local mirror package
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
    [ -n "$mirror" ] || return 1
    mkdir -p "$scratch/apt/lists/partial" "$scratch/apt/cache/archives/partial"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' \
        "$mirror" >"$scratch/apt/sources.list"
    : >"$scratch/apt/status"
    in_archive apt-get update || return 1
    package=$(in_archive apt-cache pkgnames libboost1 | grep -x 'libboost1\.[0-9]*-dev' | sort -V | tail -n 1)
    [ -n "$package" ] || return 1
    (cd "$scratch" && in_archive apt-get download "$package") || return 1
    rm -rf "$scratch/boost"
    dpkg-deb -x "$scratch/$package"_*.deb "$scratch/boost"
}

command -v dpkg-deb apt-get >/dev/null || leave_out "there is no apt-get here"
headers=$scratch/boost/usr/include
mkdir -p "$scratch"
[ -d "$headers" ] || get_headers >"$scratch/log" 2>&1 || leave_out "Debian's archive can't be read here, see $scratch/log"
sed -n 's/^#define BOOST_LIB_VERSION /Boost /p' "$headers/boost/version.hpp"
exec "$@"
