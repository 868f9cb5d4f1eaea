#!/usr/bin/env bash
# Builds and tests in chroots, with other distributions, compilers and Boosts:
#   matrix.sh [ENTRY...]        the entries of matrix.txt, beside this, or those that are named
# The chroots, the last builds and the logs are kept in build/matrix, or in the folder that PARTYLINE_MATRIX names: a
# second run finds the packages installed. An entry whose packages can't be had here is left out, visibly; where CI is
# set, it fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$(cd "$here/../.." && pwd)
folder=${PARTYLINE_MATRIX:-$sources/build/matrix}
programs='partyline-echo partyline-call partyline-gateway partyline-tools'
tests='unit_protocol unit_session unit_rpc'

for needed in mmdebstrap unshare chroot; do
    command -v "$needed" >/dev/null || { echo "the matrix needs $needed" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "only root may change the root" >&2; exit 1; }

# In namespaces of its own: nothing stays mounted, and nothing goes on.
inside() {
    unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

# Debian's is got from where this system gets its packages; else mmdebstrap knows whom to ask.
make_root() {
    local components=main mirror=''
    [ ! -e "$root/etc/made" ] || return 0
    if [ "$suite" = noble ]; then
        components=main,universe
        [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || { echo "needs ubuntu-archive-keyring"; return 1; }
    else
        mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
    fi
    rm -rf "$root"
    # A mirror that is no longer renewed is enough for a test.
    mmdebstrap --mode=root --variant=apt --dpkgopt=force-unsafe-io --aptopt='Acquire::Check-Valid-Until "false"' \
        --components=$components "$suite" "$root" ${mirror:+"$mirror"} </dev/null || return 1
    cp /etc/resolv.conf "$root/etc/" && inside apt-get update -qq || return 1
    touch "$root/etc/made"
}

# Debian has no more than one Boost installed at a time: apt-get removes the other.
boost_packages() {
    local version=${boost#-}
    [ "$boost" != newest ] ||
        version=$(inside apt-cache pkgnames libboost1 | sed -n 's/^libboost\(1\.[0-9]*\)-dev$/\1/p' | sort -V | tail -n 1)
    echo "libboost$version-dev"
    case $kind in tests | packages) echo "libboost-json$version-dev libboost-program-options$version-dev" ;; esac
    [ "$kind" != tests ] || echo "libboost-test$version-dev"
}

install_packages() {
    local wanted
    wanted="cmake ninja-build pkgconf python3 libssl-dev $packages $(boost_packages)"
    # shellcheck disable=SC2086  # several words
    inside apt-get install -qq -y --no-install-recommends $wanted
}

# The tree as it is here, committed or not.
copy_sources() {
    rm -rf "$root/partyline"
    mkdir -p "$root/partyline"
    tar -C "$sources" --exclude=./build --exclude=./.git -c . | tar -C "$root/partyline" -x --no-same-owner
}

configure() {
    rm -rf "$root/build/$entry"
    inside cmake -G Ninja -B "/build/$entry" -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_CXX_FLAGS="$flags" "$@"
}

compile() { inside cmake --build "/build/$entry" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" "$@" -- -k 0; }

build_tests() {
    # shellcheck disable=SC2086  # several words
    configure -S /partyline -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG="-O0 -D_GLIBCXX_ASSERTIONS" \
        -D PARTYLINE_UNITY=ON && compile --target $programs $tests
}

build_headers() {
    configure -S /partyline/test/consumer/newest_boost -D SOURCES=/partyline -D BOOST_INCLUDE=/usr/include \
        -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=40 && compile
}

build_refused() {
    ! configure -S /partyline && grep -q 'partyline needs C++20 coroutines: g++ 12 or clang 16 at least' "$log"
}

# shellcheck disable=SC2086  # several flags
build_narrow() { inside bash /partyline/test/platforms/narrow_headers.sh /partyline/include "$compiler" -std=c++20 $flags; }

# Made, and judged by lintian, where they are to be installed; then installed where there is nothing else.
build_packages() {
    configure -S /partyline --preset package -D PARTYLINE_UNITY=ON && compile &&
        inside bash /partyline/test/package/debs.sh /partyline "/build/$entry" "/packages/$entry" &&
        python3 -B "$sources/test/guide/extract.py" "$sources" "$folder/guide" &&
        bash "$sources/test/package/bare_root.sh" "$suite" "$root/packages/$entry/1" "$folder/bare_root" \
            "$folder/guide/mcp_server.cpp" "$sources/apps/examples/minimal.cpp"
}

# "passed/all" of the tests that have run, or nothing.
test_results() {
    local pattern=.
    case $kind in
        tests) pattern="^(${tests// /|})(\\.|$)" ;;
        headers) ;;
        *) return 0 ;;
    esac
    inside ctest --test-dir "/build/$entry" --output-on-failure --timeout 300 --no-tests=error -R "$pattern" >>"$log" 2>&1 || true
    sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests\{0,1\} failed out of \([0-9]*\)/\1 \2/p' "$log" | tail -n 1 |
        { read -r lost all && echo "$((all - lost))/$all" || echo "0/none"; }
}

row='%-20s %-11s %-9s %-7s %-8s %-9s %-9s %-9s %s\n'
report() {
    local system found openssl version
    system=$(sed -n 's/^ID=\(.*\)/\1/p; s/^VERSION_ID="\(.*\)"/\1/p' "$root/etc/os-release" 2>/dev/null | sort -r | xargs) || true
    version=$(inside "$compiler" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p') || true
    found=$(sed -n 's/^#define BOOST_LIB_VERSION "\(.*\)"/\1/p' "$root/usr/include/boost/version.hpp" 2>/dev/null) || true
    openssl=$(inside dpkg-query -W -f "\${source:Upstream-Version}" libssl-dev 2>/dev/null) || true
    # shellcheck disable=SC2059  # the format is ours
    printf "$row" "$entry" "${system:-$suite}" "$version" "${found//_/.}" "${openssl%%[+~]*}" "$@" "$SECONDS" | tee -a "$folder/results"
}

run_entry() {
    local built=yes tested=''
    SECONDS=0
    log=$folder/$entry.log root=$folder/roots/$suite
    if ! { make_root && { install_packages || { inside apt-get update -qq && install_packages; }; }; } >"$log" 2>&1; then
        printf 'left out: %s: %s\n' "$entry" "$(tail -n 1 "$log")" >&2
        report "left out" "" ""
        [ -z "${CI:-}" ] || failed=1
        return 0
    fi
    copy_sources
    "build_$kind" >>"$log" 2>&1 || built=no
    [ $built = no ] || tested=$(test_results)
    report $built "$(grep -c 'warning:' "$log")" "$tested"
    [[ $built = yes && ${tested%/*} = "${tested#*/}" ]] || failed=1
}

known=$(grep -v '^#' "$here/matrix.txt")
for wanted in "$@"; do
    awk -v name="$wanted" '$1 == name { found = 1 } END { exit !found }' <<<"$known" ||
        { printf 'there is no entry %s; those of the matrix are: %s\n' "$wanted" "$(awk '{ print $1 }' <<<"$known" | xargs)" >&2; exit 2; }
done

mkdir -p "$folder/roots"
failed=0
# shellcheck disable=SC2059  # the format is ours
printf "$row" entry system compiler Boost OpenSSL built warnings tests seconds | tee "$folder/results"
while read -r entry suite kind boost compiler flags packages; do
    [ $# = 0 ] || [[ " $* " == *" $entry "* ]] || continue
    [ "$flags" != - ] || flags=''
    flags=${flags//,/ }
    run_entry
done <<<"$known"
exit $failed
