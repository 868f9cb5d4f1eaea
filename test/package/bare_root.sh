#!/usr/bin/env bash
# From a bare Debian to a server of one's own that clients of MCP use, by the packages alone:
# bare_root.sh <suite> <folder of packages> <scratch> <source of the guide's server> <of a program> [<client> ...]
# The suite is Debian's name for a release, such as bookworm. The server is found by CMake, and the program by
# pkg-config. The command of a client besides partyline-call gets the server's as its last word. Says each step and its
# time, as a transcript.
set -euo pipefail
suite=$1 packages=$2 scratch=$3 source=$4 program=$5
shift 5

for needed in mmdebstrap chroot; do
    command -v "$needed" >/dev/null && continue
    echo "left out: there is no $needed here" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
done
compgen -G "$packages/*.deb" >/dev/null || {
    echo "left out: there are no packages, see package.debs" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}
[ "$(id -u)" = 0 ] || {
    echo "left out: only root may change the root" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

step() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }
root=$scratch/root
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

rm -rf "$scratch"
mkdir -p "$scratch"
# The system's own sources, so that what they have is there too.
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
step "a bare $suite of Debian"
mmdebstrap --quiet --mode=root --variant=minbase --dpkgopt=force-unsafe-io "$suite" "$root" ${mirror:+"$mirror"} 2>"$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
cp "$packages"/*.deb "$root/root/"

# Here the ten minutes begin.
SECONDS=0
step "\$ apt-get install g++ cmake make pkgconf dpkg-dev ./libpartyline*.deb ./partyline-tools*.deb"
inside apt-get update -qq >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
inside sh -c 'apt-get install -qq -y --no-install-recommends g++ cmake make pkgconf dpkg-dev /root/*.deb' >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" >&2; exit 1; }
inside partyline-echo --version
inside sh -c "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"add\",\"params\":{\"a\":2,\"b\":40}}' | partyline-echo"
inside sh -c 'ldconfig -p | grep -c libpartyline' >/dev/null || { echo "the libraries are not known to the linker" >&2; exit 1; }

mkdir -p "$root/root/server"
cp "$source" "$root/root/server/server.cpp"
cat >"$root/root/server/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(server LANGUAGES CXX)
find_package(partyline REQUIRED COMPONENTS mcp)
add_executable(server server.cpp)
target_link_libraries(server PRIVATE partyline::mcp)
CMAKE
step "\$ cmake -B build && cmake --build build"
for kind in OFF ON; do # by the archives, and by the shared libraries
    inside sh -c "cd /root/server && cmake -B build-$kind -D BUILD_SHARED_LIBS=$kind && cmake --build build-$kind" \
        >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    step "a server, BUILD_SHARED_LIBS=$kind: $(stat -c %s "$root/root/server/build-$kind/server") bytes"
done
inside sh -c 'ldd /root/server/build-ON/server | grep -q libpartyline_mcp.so' ||
    { echo "the server does not link the shared library" >&2; exit 1; }

# A package of the server would depend on that of the libraries.
mkdir -p "$root/root/server/debian"
printf 'Source: server\n\nPackage: server\nArchitecture: any\n' >"$root/root/server/debian/control"
inside sh -c 'cd /root/server && dpkg-shlibdeps -O build-ON/server' >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
grep -q 'libpartyline[0-9]* (>= ' "$scratch/log" ||
    { echo "what is linked to the libraries does not depend on their package: $(cat "$scratch/log")" >&2; exit 1; }

cp "$program" "$root/root/program.cpp"
step "\$ g++ -std=c++20 program.cpp \$(pkg-config --cflags --libs partyline) -o program"
flags=$(inside pkg-config --cflags --libs partyline)
inside sh -c "cd /root && g++ -std=c++20 program.cpp $flags -o program && ldd program" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
grep -q 'libpartyline\.so\.[0-9]* => /' "$scratch/log" || { echo "the program does not find the library" >&2; exit 1; }

for kind in OFF ON; do
    printf '#!/bin/sh\nexec chroot %s /root/server/build-%s/server\n' "$root" "$kind" >"$scratch/server-$kind"
    chmod +x "$scratch/server-$kind"
    step "\$ partyline-call repeat text=so --profile mcp -- server"
    said=$(inside partyline-call repeat text=so --profile mcp -- "/root/server/build-$kind/server")
    [ "$said" = "so so " ] || { echo "the server has said '$said'" >&2; exit 1; }
    [ $# -gt 0 ] || continue
    step "an official client of MCP uses it"
    "$@" "$scratch/server-$kind"
done
inside sh -c 'apt-get remove -qq -y "libpartyline[0-9]*" libpartyline-dev libpartyline-doc partyline-tools' >/dev/null 2>&1
[ -z "$(find "$root/usr" -path "*partyline*" -type f | head -n 5)" ] ||
    { echo "left behind: $(find "$root/usr" -path '*partyline*' -type f | head -n 5)" >&2; exit 1; }
step "done"
[ "$SECONDS" -lt 600 ] || { echo "it took more than ten minutes" >&2; exit 1; }
