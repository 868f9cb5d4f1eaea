#!/usr/bin/env bash
# Installs and builds the peers that partyline-bench measures itself against, as far as their toolchains are there, into
# build/peers, and lists in build/peers/peers.json those that answer. Called by `bash cmake/setup.sh peers`.
# What is built already is left alone, so that a second run is quick and needs no network.
set -euo pipefail
exec </dev/null
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(cd "$sources/../../.." && pwd)/build/peers
patience=30 # seconds until a peer that says nothing is given up

# shellcheck source=test/bench/peers/questions.sh
source "$sources/questions.sh"

say() { printf 'peers: %s\n' "$*"; }

# Each is for one tool, runs in a copy of the folder of a peer, and prints the words of its command, one a line.
build_with_npm() {
    npm ci --ignore-scripts --no-audit --no-fund >&2
    printf '%s\n' "$(command -v node)" "$PWD"/server.*js
}

build_with_python3() {
    python3 -m venv venv >&2
    venv/bin/pip install --disable-pip-version-check --no-deps -r requirements.txt >&2
    printf '%s\n' "$PWD/venv/bin/python" "$PWD/server.py"
}

build_with_go() {
    GOTOOLCHAIN=local go build -o peer . >&2
    printf '%s\n' "$PWD/peer"
}

build_with_cargo() {
    local source
    cargo generate-lockfile >&2
    source=$(grep -m 1 '^source = ' Cargo.lock)
    sed "s|^checksum = |$source\n&|" crates.lock >Cargo.lock
    cargo build --release --locked >&2
    printf '%s\n' "$PWD/target/release/peer"
}

version_of() {
    case $1 in
        vscode-jsonrpc) sed -n 's/.*"vscode-jsonrpc": "\(.*\)".*/\1/p' "$sources/$1/package.json" ;;
        python-lsp-jsonrpc) sed -n 's/^python-lsp-jsonrpc==//p' "$sources/$1/requirements.txt" ;;
        go-jsonrpc2) sed -n 's/^require .*jsonrpc2 //p' "$sources/$1/go.mod" ;;
        mcp-typescript) sed -n 's/.*"@modelcontextprotocol\/server": "\(.*\)",.*/\1/p' "$sources/$1/package.json" ;;
        go-http) go env GOVERSION | sed 's/^go//' ;;
        node-websocket) sed -n 's/.*"ws": "\(.*\)".*/\1/p' "$sources/$1/package.json" ;;
        go-websocket) sed -n 's/^require .*websocket v//p' "$sources/$1/go.mod" ;;
        rust-websocket) sed -n 's/^jsonrpsee = .*"=\([0-9.]*\)".*/\1/p' "$sources/$1/Cargo.toml" ;;
        node-http) node --version | sed 's/^v//' ;;
        mcp-typescript-http) sed -n 's/.*"@modelcontextprotocol\/node": "\(.*\)",.*/\1/p' "$sources/$1/package.json" ;;
        mcp-python) sed -n 's/^mcp==//p' "$sources/$1/requirements.txt" ;;
        mcp-go | mcp-go-http) sed -n 's/^require .*go-sdk v//p' "$sources/$1/go.mod" ;;
        supergateway) sed -n 's/.*"supergateway": "\(.*\)".*/\1/p' "$sources/$1/package.json" ;;
        mcp-proxy) sed -n 's/^mcp-proxy==//p' "$sources/$1/requirements.txt" ;;
        mcp-rust) sed -n 's/^rmcp = .*"=\([0-9.]*\)".*/\1/p' "$sources/$1/Cargo.toml" ;;
        async-lsp) sed -n 's/^async-lsp = .*"=\([0-9.]*\)".*/\1/p' "$sources/$1/Cargo.toml" ;;
    esac
}

name_of() {
    case $1 in
        go-jsonrpc2) echo golang.org/x/exp/jsonrpc2 ;;
        go-http) echo 'net/http (Go)' ;;
        node-http) echo 'http (Node)' ;;
        node-websocket) echo 'ws (Node)' ;;
        go-websocket) echo 'coder/websocket (Go)' ;;
        rust-websocket) echo 'jsonrpsee (Rust)' ;;
        mcp-typescript-http) echo '@modelcontextprotocol/node (TypeScript)' ;;
        mcp-typescript) echo '@modelcontextprotocol/server (TypeScript)' ;;
        mcp-python) echo 'mcp (Python)' ;;
        mcp-go | mcp-go-http) echo 'go-sdk (Go)' ;;
        mcp-rust) echo 'rmcp (Rust)' ;;
        supergateway) echo 'supergateway (Node)' ;;
        mcp-proxy) echo 'mcp-proxy (Python)' ;;
        *) echo "$1" ;;
    esac
}

is_gateway() { [[ $1 = supergateway || $1 = mcp-proxy ]]; }
is_mcp() { [[ $1 = mcp-* ]]; }
is_http() { [[ $1 = *-http ]]; }
is_websocket() { [[ $1 = *-websocket ]]; }

# Builds a peer with its tool unless that has been done, from the same files; leaves its command in the file `command`.
build() {
    local peer=$1 with=build_with_$2 folder=$target/$1 sum
    sum=$(cd "$sources/$peer" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
    [ "$(cat "$folder/built" 2>/dev/null)" != "$sum" ] || return 0
    rm -rf "$folder"
    mkdir -p "$target"
    cp -R "$sources/$peer" "$folder"
    # A shell of its own: `set -e` means nothing to a function that is asked whether it succeeded.
    (cd "$folder" && bash -euo pipefail -c "$(declare -f "$with"); $with" >"command") \
        >"$folder.log" 2>&1 || return 1
    printf '%s\n' "$sum" >"$folder/built"
}

# How a peer is asked whether it is there.
question_for() {
    if is_gateway "$1"; then
        echo answers_mcp_gateway
    elif is_websocket "$1"; then
        echo answers_websocket
    elif is_http "$1"; then
        if is_mcp "$1"; then echo answers_mcp_http; else echo answers_http; fi
    else
        if is_mcp "$1"; then echo answers_mcp; else echo answers_rpc; fi
    fi
}

json_string() {
    local text=${1//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

entry() {
    local words=() command wire='"framing": "content-length"'
    ! is_mcp "$1" || wire='"framing": "ndjson", "protocol": "mcp"'
    ! is_http "$1" || wire='"framing": "ndjson", "protocol": "http"'
    ! { is_mcp "$1" && is_http "$1"; } || wire='"framing": "ndjson", "protocol": "mcp-http"'
    ! is_websocket "$1" || wire='"framing": "ndjson", "protocol": "websocket"'
    ! is_gateway "$1" || wire='"framing": "ndjson", "protocol": "mcp-gateway"'
    mapfile -t words <"$target/$1/command"
    printf -v command '%q ' "${words[@]}"
    printf '  {"name": %s, "version": %s, "command": %s, %s}' "$(json_string "$(name_of "$1")")" \
        "$(json_string "$(version_of "$1")")" "$(json_string "${command% }")" "$wire"
}

entries=()
failed=0
set_up() {
    local peer=$1 tool words=() answers
    answers=$(question_for "$peer")
    for tool in "${@:2}"; do
        command -v "$tool" >/dev/null || { say "$peer: left out, there is no $tool here"; return 0; }
    done
    if ! build "$peer" "$2"; then
        say "$peer: cannot be built here, see $target/$peer.log"
        failed=1
        return 0
    fi
    mapfile -t words <"$target/$peer/command"
    if ! "$answers" "${words[@]}" 2>>"$target/$peer.log"; then
        say "$peer: does not answer, see $target/$peer.log"
        failed=1
        return 0
    fi
    say "$peer: $(version_of "$peer")"
    entries+=("$(entry "$peer")")
}

set_up vscode-jsonrpc npm node
set_up python-lsp-jsonrpc python3
set_up go-jsonrpc2 go
set_up async-lsp cargo
set_up mcp-typescript npm node
set_up mcp-python python3
set_up mcp-go go
set_up mcp-rust cargo
set_up go-http go
set_up node-http npm node
set_up node-websocket npm node
set_up go-websocket go
set_up rust-websocket cargo
set_up mcp-typescript-http npm node
set_up mcp-go-http go
set_up supergateway npm node
set_up mcp-proxy python3

mkdir -p "$target"
{
    echo '['
    for i in "${!entries[@]}"; do
        [ "$i" = 0 ] || printf ',\n'
        printf '%s' "${entries[$i]}"
    done
    printf '\n]\n'
} >"$target/peers.json"
say "${#entries[@]} listed in $target/peers.json"
exit $failed
