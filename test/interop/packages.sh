#!/usr/bin/env bash
# The npm packages that the interop tests talk to, at the versions of package-lock.json, in build/interop.
#   bash test/interop/packages.sh install      installs them, as `bash cmake/setup.sh test` does, and what the tests of
#                                              MCP, of tokens, of metrics and of WebSocket need besides (see
#                                              mcp/packages.sh, jwt/wycheproof.sh, telemetry/promtool.sh,
#                                              websocket/autobahn.sh); quick, and without network, when that has been
#                                              done before
#   bash test/interop/packages.sh install product
#                                              besides these, what only `bash cmake/setup.sh product` needs
#   bash test/interop/packages.sh run COMMAND  runs a test; where they are missing it exits with 77 instead, or with 1
#                                              if the variable CI is set: there they have to be
# To change a version: edit package.json, then in this folder run `npm install --package-lock-only
# --omit-lockfile-registry-resolved`, so that the lock file names no download addresses. @hono/node-server is held at 1,
# since 2 wants a newer Node than Debian 12 has; it is not used here.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(cd "$sources/../.." && pwd)/build/interop
oldest_node=18

die() { printf 'interop: %s\n' "$*" >&2; exit 1; }

has_node() {
    local version
    version=$(node --version 2>/dev/null) && version=${version#v} && [ "${version%%.*}" -ge "$oldest_node" ]
}

wanted() { cat "$sources/package.json" "$sources/package-lock.json" | sha256sum; }
is_installed() { [ "$(cat "$target/installed" 2>/dev/null)" = "$(wanted)" ]; }

install_npm() {
    has_node || die "there is no Node $oldest_node or newer here"
    ! is_installed || return 0
    command -v npm >/dev/null || die "there is no npm here"
    mkdir -p "$target"
    rm -f "$target/installed"
    cp "$sources/package.json" "$sources/package-lock.json" "$target"
    (cd "$target" && npm ci --ignore-scripts --no-audit --no-fund) </dev/null >"$target.log" 2>&1 ||
        die "the packages cannot be installed here, see $target.log"
    wanted >"$target/installed"
    printf 'interop: packages installed in %s\n' "$target"
}

install() {
    install_npm
    bash "$sources/jwt/wycheproof.sh" install
    bash "$sources/telemetry/promtool.sh" install
    bash "$sources/websocket/autobahn.sh" install
    bash "$sources/mcp/packages.sh" install "$@"
}

run() {
    if has_node && is_installed; then
        exec "$@"
    fi
    printf 'interop: Node %s or the packages are missing; bash test/interop/packages.sh install\n' "$oldest_node" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

case ${1:-} in
    install) shift; install "$@" ;;
    run) shift; run "$@" ;;
    *) die "usage: bash test/interop/packages.sh install [product] | run COMMAND" ;;
esac
