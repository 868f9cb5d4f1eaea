#!/usr/bin/env bash
# The packages of Debian are without an error for lintian, and equal when they are made twice:
# debs.sh <sources> <build folder> <scratch>
# They are those of the preset `package`, with what the build folder has, so that nothing is compiled. They go to
# <scratch>/1 and <scratch>/2.
set -euo pipefail
sources=$1 build=$2 scratch=$3

rm -rf "$scratch"
mkdir -p "$scratch"
leave_out() {
    echo "left out: there is no $1 here" >&2
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

command -v dpkg-shlibdeps >/dev/null || leave_out dpkg-shlibdeps

mapfile -t options < <(sed -n 's/^\(PARTYLINE_BUILD_[A-Z]*:BOOL=\)/-D\1/p' "$build/CMakeCache.txt")
cmake --preset package -S "$sources" -B "$scratch/build" "${options[@]}" -D PARTYLINE_BUILD_TESTS=OFF >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
(cd "$build" && find lib bin \( -name 'libpartyline*.a' -o -name 'libpartyline*.so*' -o -path 'bin/partyline-*' \) \
    -exec cp --archive --link --parents {} "$scratch/build" \;)
[ ! -d "$build/reference" ] || cp --archive --link "$build/reference" "$scratch/build"

for time in 1 2; do
    (cd "$scratch/build" && cpack -G DEB -B "$scratch/$time") >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    rm -r "$scratch/$time/_CPack_Packages"
done
diff -r "$scratch/1" "$scratch/2" || { echo "packages that are made twice are not equal" >&2; exit 1; }
(cd "$scratch/1" && printf '%s\n' ./*.deb)

# Libraries of several architectures can be there at once.
triplet=$(dpkg-architecture --query DEB_HOST_MULTIARCH)
for package in "$scratch"/1/libpartyline[0-9]*.deb "$scratch"/1/libpartyline-dev*.deb; do
    [ "$(dpkg-deb --field "$package" Multi-Arch)" = same ] || { echo "$package: not Multi-Arch: same" >&2; exit 1; }
    misplaced=$(dpkg-deb --contents "$package" | awk '{ print $6 }' | grep '/lib/.' | grep -v "/lib/$triplet/" || true)
    [ -z "$misplaced" ] || { echo "$package: not of one architecture: $misplaced" >&2; exit 1; }
done

# Last: the packages are there for others where it is not.
command -v lintian >/dev/null || leave_out lintian
(cd "$scratch/1" && lintian --allow-root --fail-on error --tag-display-limit 0 ./*.deb)
