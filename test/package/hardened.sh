#!/usr/bin/env bash
# Programs and shared libraries are position independent, and the dynamic linker's tables in them are read-only:
# hardened.sh FILE...
set -euo pipefail
failed=0
expect() { # FILE PATTERN WHAT
    grep -qE "$2" <<<"$(LC_ALL=C readelf --wide --file-header --segments --dynamic "$1")" && return
    echo "$1: $3" >&2
    failed=1
}
for file in "$@"; do
    expect "$file" '^ *Type: *DYN' "not position independent"
    expect "$file" '^ *GNU_RELRO ' "no segment that becomes read-only"
    expect "$file" '\((FLAGS|FLAGS_1)\).*(BIND_NOW|NOW)' "symbols are resolved lazily, so their table stays writable"
done
exit $failed
