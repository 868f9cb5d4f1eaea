#!/usr/bin/env bash
# What the tests of MCP talk to, at the versions of its lock files, in build/interop/mcp, as far as the toolchains are
# there. In each folder one of these:
#   node      npm packages, and from npm a Node that is new enough for them
#   python, go, rust    the official SDK of the language, or programs with it; in python also the package websockets
#   rust_server         a server with the SDK for Rust, which compiles it once more: only for `setup.sh product`
# Called by test/interop/packages.sh:
#   bash test/interop/mcp/packages.sh install [product] quick, and without network, when that has been done before
#   bash test/interop/mcp/packages.sh run PART COMMAND  runs a test with the programs of that part first in PATH; where
#                                                       the part is missing it exits with 77, or with 1 if CI is set
# To change a version: in this folder as in test/interop; in python put what `pip freeze` says into requirements.txt; in
# go run `go mod tidy`; in rust and rust_server run `cargo generate-lockfile` and leave the lines `source = ` out of
# crates.lock.
set -euo pipefail
exec </dev/null
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(cd "$sources/../../.." && pwd)/build/interop/mcp
parts=(node python go rust)
# Where the installers of Go and Rust put them, for shells that have not been told.
PATH=$PATH:/usr/local/go/bin:${HOME:-/root}/.cargo/bin

say() { printf 'interop: %s\n' "$*" >&2; }

# has PROGRAM OLDEST: the program is there, and of that version or newer; it says its version by "$@".
has() {
    local oldest=$1 version
    version=$("${@:2}" 2>/dev/null | grep -om 1 '[0-9]\+\.[0-9]\+') || return 1
    [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ]
}

# toolchain_of PART: the part's name, or what stands before its underscore.
toolchain_of() { echo "${1%%_*}"; }

needs() {
    case $(toolchain_of "$1") in
        node) echo 'Node 18 and npm' ;;
        python) echo 'Python 3.11 with venv' ;;
        go) echo 'Go 1.25' ;;
        rust) echo 'Rust 1.88 with cargo' ;;
    esac
}

has_toolchain() {
    case $(toolchain_of "$1") in
        node) has 18.0 node --version && command -v npm >/dev/null ;;
        python) has 3.11 python3 --version && python3 -c 'import ensurepip, venv' 2>/dev/null ;;
        go) GOTOOLCHAIN=local has 1.25 go version ;;
        rust) has 1.88 cargo --version ;;
    esac
}

sources_of() {
    case $1 in
        node) printf '%s\n' "$sources/package.json" "$sources/package-lock.json" ;;
        python) echo "$sources/python/requirements.txt" ;;
        go | rust | rust_server) find "$sources/$1" -type f ;;
    esac
}

# Each runs in its folder in build/, where its sources have been copied.
build_node() { npm ci --ignore-scripts --no-audit --no-fund; }

build_python() {
    python3 -m venv --clear venv
    venv/bin/pip install --disable-pip-version-check --no-deps -r requirements.txt
}

build_go() {
    export GOTOOLCHAIN=local GOCACHE=$PWD/cache
    go build -o bin/mcp_client ./client
    go build -o bin/mcp_server ./server
    go build -o bin/mcp_access_client ./access_client
}

build_rust() {
    local source
    cargo generate-lockfile
    source=$(grep -m 1 '^source = ' Cargo.lock)
    sed "s|^checksum = |$source\n&|" crates.lock >Cargo.lock
    cargo build --locked
}

# Where the programs of a part are.
programs_of() {
    case $1 in
        node) printf '%s\n' "$target"/node/node_modules/node-linux-*/bin ;;
        python) echo "$target/python/venv/bin" ;;
        go) echo "$target/go/bin" ;;
        rust | rust_server) echo "$target/$1/target/debug" ;;
    esac
}

wanted() { sources_of "$1" | sort | xargs -d '\n' cat | sha256sum; }
is_installed() { [ "$(cat "$target/$1/installed" 2>/dev/null)" = "$(wanted "$1")" ]; }

build() {
    local part=$1 builder
    builder=build_$(toolchain_of "$part")
    mkdir -p "$target/$part"
    rm -f "$target/$part/installed"
    case $part in
        node) cp "$sources"/package*.json "$target/node" ;;
        python) cp "$sources/python/requirements.txt" "$target/python" ;;
        go | rust | rust_server) cp -R "$sources/$part/." "$target/$part" ;;
    esac
    # A shell of its own: `set -e` means nothing to a function that is asked whether it succeeded.
    (cd "$target/$part" && bash -euo pipefail -c "$(declare -f "$builder"); $builder") \
        >"$target/$part.log" 2>&1 || return 1
    wanted "$part" >"$target/$part/installed"
}

# All at once: one waits for the network while another compiles.
install() {
    local part missing=0
    declare -A builds
    [ "${1:-}" != product ] || parts+=(rust_server)
    for part in "${parts[@]}"; do
        if is_installed "$part"; then
            continue
        elif ! has_toolchain "$part"; then
            say "no tests of MCP with $part: they need $(needs "$part")"
            missing=1
        else
            build "$part" &
            builds[$part]=$!
        fi
    done
    for part in "${!builds[@]}"; do
        if wait "${builds[$part]}"; then
            say "tests of MCP with $part: all is in $target/$part"
        else
            say "what the tests of MCP with $part need cannot be installed here, see $target/$part.log"
            missing=1
        fi
    done
    [ "$missing" = 0 ] || [ -z "${CI:-}" ]
}

run() {
    local part=$1 for_product=
    shift
    if is_installed "$part"; then
        PATH=$(programs_of "$part"):$PATH
        exec "$@"
    fi
    [ "$part" != rust_server ] || for_product=' product'
    say "left out: $(needs "$part"), or what is built with it, is missing;" \
        "bash test/interop/packages.sh install$for_product"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

case ${1:-} in
    install) install "${2:-}" ;;
    run) shift; run "$@" ;;
    *) say "usage: bash test/interop/mcp/packages.sh install [product] | run PART COMMAND..."; exit 1 ;;
esac
