#!/usr/bin/env bash
# Autobahn, the judge of implementations of WebSocket, which needs Python 2.7.
#   bash test/interop/websocket/autobahn.sh install
#       installs it in build/interop/autobahn, where there is such a Python
#   bash test/interop/websocket/autobahn.sh run ...
#       runs its program `wstest`; exits with 77 where it is not installed
set -euo pipefail
target=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/build/interop/autobahn
version=25.10.1

# Where versions of Python are managed, the name alone may be no more than a stub.
python() {
    local found
    for found in python2.7 python2; do
        ! "$found" -c 'import sys; sys.exit(sys.version_info[:2] != (2, 7))' 2>/dev/null || { echo "$found"; return; }
    done
    export PYENV_VERSION
    for PYENV_VERSION in $(pyenv versions --bare 2>/dev/null | grep '^2\.7' || true); do
        ! python2.7 -c '' 2>/dev/null || { echo "env PYENV_VERSION=$PYENV_VERSION python2.7"; return; }
    done
    return 1
}

install() {
    local run
    if ! run=$(python); then
        printf 'autobahn: no Python 2.7 here, so its cases are left out\n' >&2
        return 0
    fi
    [ "$(cat "$target/installed" 2>/dev/null)" != "$version" ] || return 0
    rm -rf "$target"
    mkdir -p "$target"
    # shellcheck disable=SC2086  # a command with its words
    if ! $run -m pip install --quiet --target "$target/packages" "autobahntestsuite==$version" >"$target.log" 2>&1; then
        printf 'autobahn: cannot be installed here, see %s.log\n' "$target" >&2
        return 0
    fi
    touch "$target/packages/zope/__init__.py" # a package of names, which one that is installed like this does not find
    echo "$version" >"$target/installed"
}

run() {
    local command
    if [ ! -e "$target/installed" ] || ! command=$(python); then
        printf 'autobahn: not installed; bash test/interop/packages.sh install, with Python 2.7\n' >&2
        exit 77
    fi
    # shellcheck disable=SC2086
    PYTHONPATH=$target/packages exec $command "$target/packages/bin/wstest" "$@"
}

case ${1:-} in
    install) install ;;
    run) shift; run "$@" ;;
    *) printf 'usage: bash autobahn.sh install | run ARGUMENTS\n' >&2; exit 2 ;;
esac
