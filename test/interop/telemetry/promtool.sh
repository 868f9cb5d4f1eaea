#!/usr/bin/env bash
# promtool, which judges metrics, of the package `prometheus` of Debian, of which nothing else is wanted: it starts a
# service, and takes 332 MB with all that it needs.
#   bash test/interop/telemetry/promtool.sh install      puts it in build/interop/promtool, where there is an apt-get
#   bash test/interop/telemetry/promtool.sh run COMMAND  runs a test with it in PATH; where there is none it exits with
#                                                        77 instead, or with 1 if the variable CI is set
set -euo pipefail
target=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/build/interop/promtool

fetch() {
    cd "$target"
    apt-get download -o APT::Sandbox::User= prometheus
    dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x --strip-components=3 ./usr/bin/promtool
    rm prometheus_*.deb
    ./promtool --version
}

install() {
    [ ! -x "$target/promtool" ] || return 0
    ! command -v promtool >/dev/null || return 0
    if ! command -v apt-get >/dev/null; then
        printf 'promtool: no apt-get here, so it is left out\n' >&2
        return 0
    fi
    rm -rf "$target"
    mkdir -p "$target"
    # A shell of its own: `set -e` means nothing to a function that is asked whether it succeeded.
    if ! (bash -euo pipefail -c "$(declare -p target); $(declare -f fetch); fetch") </dev/null >"$target.log" 2>&1; then
        printf 'promtool: it cannot be had here, see %s\n' "$target.log" >&2
        rm -rf "$target"
    fi
}

run() {
    PATH=$target:$PATH
    if command -v promtool >/dev/null; then
        exec "$@"
    fi
    printf 'left out: there is no promtool here; bash test/interop/packages.sh install\n' >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

case ${1:-} in
    install) install ;;
    run) shift; run "$@" ;;
    *) printf 'usage: bash promtool.sh install | run COMMAND\n' >&2; exit 2 ;;
esac
