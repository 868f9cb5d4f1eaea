#!/usr/bin/env bash
# finds_faults.sh SCRATCH: each check passes a right tree, and names a planted fault with its file.
set -euo pipefail
check=$(dirname "${BASH_SOURCE[0]}")/check.sh
tree=$1
rm -rf "$tree"
mkdir -p "$tree/lib" "$tree/build"
cp "$(dirname "${BASH_SOURCE[0]}")/../../.clang-format" "$tree"
printf 'int main()\n{\n    return 0;\n}\n' >"$tree/lib/one.cpp"
printf '#!/bin/bash\necho one\n' >"$tree/lib/one.sh"
printf '# One\n' >"$tree/README.md"
printf 'int  x ;  // teh\n' >"$tree/build/made.cpp" # what is built is not looked at

for what in format columns shell spelling; do
    bash "$check" "$what" "$tree" || { echo "$what finds a fault where there is none" >&2; exit 1; }
done

finds() { # what, file, its text
    local said
    printf '%s\n' "$3" >"$tree/$2"
    if said=$(bash "$check" "$1" "$tree" 2>&1); then
        echo "$1 does not find what is wrong in $2: $3" >&2
        exit 1
    fi
    case $said in *"$2"*) ;; *) echo "$1 does not say where it is wrong: $said" >&2; exit 1 ;; esac
    rm "$tree/$2"
}

tidy=$(dirname "${BASH_SOURCE[0]}")/tidy.sh
cp "$(dirname "${BASH_SOURCE[0]}")/../../.clang-tidy" "$tree"
mkdir -p "$tree/include"
bash "$tidy" "$tree" "$tree/build/tidy" 1 || { echo "tidy finds a fault where there is none" >&2; exit 1; }
printf '#include <string>\nstd::string f(std::string a) { std::string b = std::move(a); return a + b; }\n' >"$tree/lib/two.cpp"
if said=$(bash "$tidy" "$tree" "$tree/build/tidy" 1 2>&1); then
    echo "tidy does not find what is used after it was moved" >&2
    exit 1
fi
case $said in *lib/two.cpp:2:*use-after-move*) ;; *) echo "tidy does not say where it is wrong: $said" >&2; exit 1 ;; esac

finds format lib/two.cpp 'int  main ( ) { return 0 ; }'
finds format lib/two.hpp 'void f(int &a);'
finds columns lib/two.cpp "// $(printf 'word %.0s' {1..25})"
finds columns lib/two.sh "# $(printf 'word %.0s' {1..25})"
finds shell lib/two.sh $'#!/bin/bash\ncd $1\nls'
finds spelling CHANGELOG.md 'It recieves a message.'
finds spelling lib/three.cpp '// teh end'
