#!/usr/bin/env bash
# old_headers.sh <folder of headers> <compiler> <option> ...: each header that has moved still compiles by its old name,
# and has the compiler say the new one, which is there.
set -euo pipefail
include=$1
shift
cd "$include"
sentences() { grep -rhoP '^#pragma message\("\K<partyline/.*> is now <.*>(?="\)$)' partyline; }
count=$(sentences | wc -l)
[ "$count" -eq 21 ] || { printf '%s old headers were found, not 21\n' "$count" >&2; exit 1; }
said=$(sentences | sed 's/\(.*\) is now \(.*\)/#include \1\n#include \2/' | "$@" -I. -x c++ -fsyntax-only - 2>&1) || {
    printf 'they do not compile:\n%s\n' "$said" >&2
    exit 1
}
while read -r sentence; do
    case $said in *"$sentence"*) ;; *) printf 'the compiler does not say: %s\n' "$sentence" >&2; exit 1 ;; esac
done < <(sentences)
