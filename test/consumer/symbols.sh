#!/usr/bin/env bash
# What the shared libraries show is what is listed, with a version:
#   symbols.sh [--renew] <folder of lists> <folder of libraries>
# A symbol that has gone breaks programs that were linked before: the SOVERSION has to change with it.
set -euo pipefail
renew=
[ "$1" != --renew ] || { renew=yes; shift; }
lists=$1 libraries=$2
failed=0
for library in "$libraries"/libpartyline*.so; do
    name=$(basename "$library" .so)
    # Those that are ours and not made anew in each program: no templates' and no inline functions'.
    ours='^((typeinfo|typeinfo name|vtable) for |non-virtual thunk to )?partyline::'
    all=$(nm -D --defined-only "$library" | sed -n 's/^[0-9a-f]* [BDRTV] //p' | c++filt | grep -E "$ours")
    # shellcheck disable=SC2001  # a line each
    shown=$(sed -E 's/@@PARTYLINE_[0-9]+$//' <<<"$all" | LC_ALL=C sort -u)
    if [ -n "$renew" ]; then
        printf '%s\n' "$shown" >"$lists/$name.txt"
    elif ! diff -u "$lists/$name.txt" <(printf '%s\n' "$shown"); then
        echo "$name shows something else; if that is meant: test/consumer/symbols.sh --renew $lists $libraries" >&2
        failed=1
    fi
    if grep -vE '@@PARTYLINE_[0-9]+$' <<<"$all"; then
        echo "$name: these symbols have no version" >&2
        failed=1
    fi
done
exit $failed
