#!/usr/bin/env bash
# Runs neovim.lua in Neovim: bash neovim.sh SERVER. Without Neovim it exits with 77 instead, or with 1 if the variable
# CI is set: there it has to be. Nothing of the user's own Neovim is read or written.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if ! command -v nvim >/dev/null; then
    printf 'examples: Neovim is missing (in Debian: the package neovim)\n' >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home" "$folder/work"
HOME=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home XDG_STATE_HOME=$folder/home \
    XDG_CACHE_HOME=$folder/home LC_ALL=C.UTF-8 SERVER=$1 FOLDER=$folder/work \
    timeout 60 nvim --headless -u NONE -i NONE -n -S "$sources/neovim.lua" </dev/null
