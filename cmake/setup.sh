#!/usr/bin/env bash
# From a fresh machine to a running partyline:
#   bash cmake/setup.sh demo    installs what is missing, builds the programs, shows the sample server at work
#   bash cmake/setup.sh install PREFIX
#                               after the demo: installs the libraries and the programs in that folder
#   bash cmake/setup.sh check   installs what is missing, builds what compiles soonest, runs the tests that are quick
#   bash cmake/setup.sh test    installs what is missing, builds, runs the tests, also under the sanitizers, and prints
#                               the time of each part and the slowest tests
#   bash cmake/setup.sh product runs all tests of the release build, and fuzzes for a minute. Besides those of "test":
#                               the remaining combinations of foreign MCP programs, transports and revisions; packages
#                               and other ways to build; the WebSocket judge; partyline-bench; test/unit and
#                               test/faults, which "test" runs under the sanitizers alone
#   bash cmake/setup.sh static  builds programs of one file each, which need no shared library, in build/static/bin
#   bash cmake/setup.sh arm64   builds for 64-bit ARM Linux, and runs tests by qemu-user; dpkg gets arm64's packages
#   bash cmake/setup.sh musl    compiles the libraries for Linux with musl, by zig, and runs a server as a child process
#   bash cmake/setup.sh macos   compiles the libraries for macOS on 64-bit ARM, by zig; nothing can be run
#   bash cmake/setup.sh jitter [REGEX [SEED]]
#                               runs the tests of "check", or those that match, while their processes are stopped for 30
#                               to 150 ms at random moments: a test that fails only then waits for time
#   bash cmake/setup.sh matrix [ENTRY...]
#                               builds and runs unit tests with other distributions, compilers and Boosts, in chroots,
#                               as root: those of test/platforms/matrix.txt, or the named ones
#   bash cmake/setup.sh peers   sets up the peers of partyline-bench, as far as node, python3, go and cargo are there
#   bash cmake/setup.sh fuzz [seconds]
#                               installs what is missing, fuzzes each target for so long, by default ten minutes
# Installs only what is not there yet, so that a second run is quick and needs neither network nor root.
set -euo pipefail
exec </dev/null
called_in=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
ledger=build/ledger # see test/ledger

say() { printf '\n== %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# Debian 12's default Boost is 1.74; 1.81 stands beside it. Elsewhere the default is tried.
boost_version() {
    local ID='' VERSION_ID=''
    [ ! -r /etc/os-release ] || . /etc/os-release
    [ "$ID $VERSION_ID" != "debian 12" ] || echo 1.81
}

# In Ubuntu the package of this name is none that apt can install.
browser_package() {
    local ID=''
    [ ! -r /etc/os-release ] || . /etc/os-release
    [ "$ID" != debian ] || echo chromium
}

# What a command needs: the second compiler and its linker are quicker, and know how to fuzz; what measures, or stands
# for foreign code, is for the tests that take long.
wanted_packages() {
    local boost
    [ "$1" != matrix ] || { echo mmdebstrap; return; }
    boost=$(boost_version)
    echo g++ cmake ninja-build ccache pkgconf python3
    echo "libboost${boost}-dev" "libboost-json${boost}-dev" "libboost-test${boost}-dev"
    echo "libboost-program-options${boost}-dev" libssl-dev prometheus-cpp-dev
    [ "$1" != arm64 ] || echo g++-aarch64-linux-gnu qemu-user-static "libboost${boost}-dev:arm64" \
        "libboost-json${boost}-dev:arm64" "libboost-test${boost}-dev:arm64" \
        "libboost-program-options${boost}-dev:arm64" libssl-dev:arm64
    case $1 in test | product | check | fuzz) echo clang-19 lld-19 ;; esac
    case $1 in test | product | fuzz) echo libclang-rt-19-dev ;; esac
    case $1 in test | product | check) echo clang-format-19 clang-tidy-19 shellcheck codespell ;; esac
    case $1 in musl | macos) echo python3-venv ;; esac # zig comes by pip
    case $1 in test | product) ;; *) return 0 ;; esac
    echo valgrind python3-venv nodejs npm clangd-19 neovim
    echo doxygen             # makes the reference
    echo curl slowhttptest   # talk HTTP with our servers
    echo fish zsh            # their completions are checked
    browser_package
    echo libtest-json-schema-acceptance-perl # has the public tests of JSON Schema
    echo libcjose-dev        # judges our verdicts on tokens
    echo libnats-dev         # partyline::fleet is made on it
    [ "$1" != product ] || echo libbenchmark-dev
    [ -n "${CI:-}" ] || return 0
    echo nginx-light haproxy nats-server # which Debian starts as services at once
    [ "$1" != product ] || echo dpkg-dev lintian mmdebstrap # make packages, judge them, make a Debian to install them in
}

is_there() {
    case $1 in
        lib* | prometheus-cpp-dev) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
        g++-aarch64-linux-gnu) command -v aarch64-linux-gnu-g++ >/dev/null ;;
        qemu-user-static) command -v qemu-aarch64-static >/dev/null ;;
        dpkg-dev) command -v dpkg-shlibdeps >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        neovim) command -v nvim >/dev/null ;;
        nginx-light) PATH=$PATH:/usr/sbin command -v nginx >/dev/null ;;
        haproxy) PATH=$PATH:/usr/sbin command -v haproxy >/dev/null ;;
        nats-server) PATH=$PATH:/usr/sbin command -v nats-server >/dev/null ;;
        nodejs) command -v node >/dev/null ;;
        python3-venv) python3 -c 'import ensurepip' 2>/dev/null ;;
        pkgconf) command -v pkg-config >/dev/null ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

install_missing() {
    local package missing=() as_root=()
    if ! command -v apt-get >/dev/null; then
        say "no apt-get here: going on with what is installed (needed: $(wanted_packages "$1" | tr '\n' ' '))"
        return
    fi
    for package in $(wanted_packages "$1"); do
        is_there "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    say "installing ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "not root and no sudo: install these as root, then run this again: ${missing[*]}"
        as_root=(sudo)
    fi
    [[ ${missing[*]} != *:arm64* ]] || ${as_root[@]+"${as_root[@]}"} dpkg --add-architecture arm64
    ${as_root[@]+"${as_root[@]}"} apt-get update ||
        printf 'setup: apt-get update failed; trying with the package lists that are there\n' >&2
    # Another Boost's development files would have to go: that is for the machine's owner to decide. A machine of CI
    # need not survive a loss of power, and unpacks in a third of the time.
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends --no-remove ${CI:+-o Dpkg::Options::=--force-unsafe-io} \
        "${missing[@]}" ||
        die "apt-get could not install: ${missing[*]}. If it wanted to remove packages (another Boost), remove them" \
            "yourself, or install Boost 1.81 or newer elsewhere and name it by CMAKE_PREFIX_PATH."
}

# Compilers that the project is not built with every day may warn where others do not.
all_tests=ON
configure() {
    local werror=OFF
    [ -z "$(boost_version)" ] || werror=ON
    cmake --preset "$1" -D PARTYLINE_WERROR=$werror -D PARTYLINE_UNITY=ON -D PARTYLINE_BUILD_ALL_TESTS=$all_tests ||
        die "cannot configure, see above; after a change of compiler remove build/$1 first"
}

build() {
    say "building $1"
    configure "$1"
    cmake --build --preset "$@" || die "the build of $1 failed"
}

# Kernels that randomise addresses widely leave ThreadSanitizer of gcc 12 no room for its shadow memory.
run_prefix() {
    local program=build/$1/bin/partyline-echo
    if "$program" --version >/dev/null 2>&1; then
        return
    elif setarch -R "$program" --version >/dev/null 2>&1; then
        echo setarch -R
    else
        die "$program does not start; for ThreadSanitizer try: sysctl vm.mmap_rnd_bits=28"
    fi
}

# run_tests PRESET [FOLDER]: of build, where it is not called as the preset is.
run_tests() {
    local prefix
    prefix=$(run_prefix "${2:-$1}")
    mkdir -p "$ledger"
    say "testing $1"
    # shellcheck disable=SC2086  # no prefix, or a command with its option
    $prefix ctest --preset "$1" --output-junit "$PWD/$ledger/test-$1.xml" ||
        die "tests of $1 failed; again: ctest --preset $1 --rerun-failed"
}

# Inputs that fuzzing finds go to build/fuzz; the corpus in the repository is only read. A failed one is kept.
fuzz_target() {
    local target=$1 seconds=$2 folder=build/fuzz/found/$1 words=json-rpc
    case $target in http* | opening) words=http ;; esac
    mkdir -p "$folder"
    ASAN_OPTIONS=quarantine_size_mb=16 build/asan/bin/fuzz_"$target" \
        -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -dict=test/fuzz/$words.dict -artifact_prefix="build/fuzz/found/$target-" \
        "$folder" "test/fuzz/corpus/$target" >"build/fuzz/$target.log" 2>&1
}

fuzz() {
    local target failed=0
    local targets=(access_file envelope fleet framing headers http http_body http_exchange http_response jwt lsp mcp
        oauth opening proof schema session typed websocket)
    declare -A running=()
    build asan --target fuzz_targets
    say "fuzzing ${targets[*]} at once, $1 seconds"
    for target in "${targets[@]}"; do
        fuzz_target "$target" "$1" &
        running[$target]=$!
    done
    for target in "${targets[@]}"; do
        if wait "${running[$target]}"; then
            printf '%s: %s\n' "$target" "$(grep -aw DONE "build/fuzz/$target.log")"
        else
            failed=1
            tail -n 40 "build/fuzz/$target.log"
            printf 'setup: %s failed; the input is named above; again: build/asan/bin/fuzz_%s <input>\n' \
                "$target" "$target" >&2
        fi
    done
    [ "$failed" = 0 ] || die "fuzzing failed, see above and build/fuzz/*.log"
}

# The sample server is there in half the time of all programs.
demo() {
    local bin=build/release/bin
    local request='{"jsonrpc":"2.0","id":1,"method":"add","params":{"a":2,"b":40}}'
    build demo --target partyline-echo
    say "$bin/partyline-echo --demo"
    "$bin/partyline-echo" --demo
    say "echo '$request' | $bin/partyline-echo"
    echo "$request" | "$bin/partyline-echo"
    build demo
    say "the programs are in $bin; to install them and the libraries: bash cmake/setup.sh install PREFIX"
}

# Builds only what the demo has not built. A relative PREFIX counts from the folder in which this was called.
install_in() {
    local prefix=$1
    [[ $prefix == /* ]] || prefix=$called_in/$prefix
    build demo
    say "installing in $prefix"
    cmake --install build/release --prefix "$prefix" >/dev/null || die "nothing can be installed in $prefix, see above"
    "$prefix/bin/partyline-echo" --version
    say "for CMake: -D CMAKE_PREFIX_PATH=$prefix; for pkg-config: PKG_CONFIG_PATH=$prefix/lib/pkgconfig"
}

usage() {
    local commands='demo | install PREFIX | check | test | product | static | arm64 | musl | macos'
    commands+=' | jitter [REGEX [SEED]] | matrix [ENTRY...] | peers | fuzz [SECONDS]'
    printf 'usage: bash cmake/setup.sh %s\n' "$commands" >&2
    exit 2
}

# What talks to foreign programs is left out without them, visibly, but not where CI is set.
install_interop() {
    say "installing what the interop tests talk to"
    bash test/interop/packages.sh install "$@" || [ -z "${CI:-}" ] || die "the interop tests have to run where CI is set"
}

passed() { say "all tests passed: $1, in $((SECONDS / 60)) min $((SECONDS % 60)) s"; }

check() {
    build check
    run_tests check
    passed "check; those that take long: bash cmake/setup.sh test"
}

# timed PART COMMAND...: notes what a part of the run took, also that of a part that fails.
timed() (
    part=$1 # in a function that exits, $1 is that of the function
    began=$EPOCHSECONDS
    trap 'note_time "$part" "$began"' EXIT
    "${@:2}"
)

# Not in a substitution, whose shell would have no times. A part may be done in pieces.
note_time() {
    echo "$((EPOCHSECONDS - $2))" >>"$ledger/$1.part"
    times >>"$ledger/$1.part"
}

calibrate() { python3 -B test/ledger/ledger.py calibrate "$ledger"; }

# What is fetched from elsewhere comes while the build goes on.
build_release() {
    local interop
    timed install-interop install_interop &
    interop=$!
    trap 'wait || true' EXIT # nothing goes on after a build that fails
    # What units do, and where they fail, is tested under the sanitizers.
    all_tests=OFF timed build-release build release
    wait "$interop" || die "see above"
    trap - EXIT
}

# Builds until it is told to end, at the lowest priority. What it has not done, or can't do, is left to `build`. To be
# called in the background: the shell that is told to end has to be the one that waits for ninja.
build_ahead() {
    ahead=$1 since=$EPOCHSECONDS # not local: the trap on EXIT may run after the function
    trap 'note_time "build-$ahead" "$since"' EXIT
    trap 'exit 143' TERM # once ninja, which is told as well, has ended
    renice -n 19 "$BASHPID"
    configure "$ahead"
    ninja -j "$jobs" -C "build/$ahead"
}

end_group() {
    kill -- "-$1" 2>/dev/null || true
    wait "$1" || true
}

# test_and_build PRESET NEXT: tests wait for much of their time, in which the next preset is built ahead. Tests have the
# processors first, so that no time limit runs out. What builds is a process group of its own.
test_and_build() {
    local group
    set -m
    build_ahead "$2" >"$ledger/ahead-$2.log" 2>&1 &
    group=$!
    set +m
    # shellcheck disable=SC2064  # the number is known now, and only here
    trap "end_group $group" EXIT
    timed "test-$1" run_tests "$1"
    trap - EXIT
    end_group "$group"
    timed "build-$2" build "$2"
}

test_all() {
    rm -rf "$ledger"
    mkdir -p "$ledger"
    build_release
    calibrate
    test_and_build release asan
    test_and_build asan tsan
    timed test-tsan run_tests tsan
    calibrate
    say "time of each part, and the slowest tests"
    python3 -B test/ledger/ledger.py report "$ledger"
    passed "release, asan (address and undefined behaviour), tsan"
}

product() {
    install_interop product
    build release
    run_tests release
    run_tests product release
    fuzz 60
    passed product
}

# Run in an empty root, where that can be.
static_programs() {
    local result=0
    build static
    bash test/package/empty_root.sh build/static/bin build/static/empty_root || result=$?
    [ "$result" = 0 ] || [ "$result" = 77 ] || die "the static programs don't run in an empty root, see above"
    say "the programs are in build/static/bin, and need no other file"
}

# An emulator is some ten times as slow: the tests that the preset names have the time limits for that.
arm64() {
    build arm64 --target unit_protocol unit_rpc unit_session unit_transport unit_http unit_http_websocket blackbox
    say "testing arm64"
    ctest --preset arm64 || die "tests of arm64 failed; again: ctest --preset arm64 --rerun-failed"
    passed "arm64, by an emulator"
}

# Into build/zig, as a venv of its own, with the commands that cmake/toolchains/zig.cmake names.
install_zig() {
    local zig=build/zig command
    [ ! -x $zig/bin/zig-ranlib ] || return 0
    say "installing zig"
    python3 -m venv $zig
    $zig/bin/pip install --quiet --disable-pip-version-check ziglang==0.17.1 || die "pip could not install ziglang"
    printf '#!/bin/sh\nexec "%s" -m ziglang "$@"\n' "$PWD/$zig/bin/python" >$zig/bin/zig
    for command in ar ranlib; do
        printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$PWD/$zig/bin/python" $command >$zig/bin/zig-$command
    done
    chmod +x $zig/bin/zig*
}

# by_zig PLATFORM: at first zig compiles its C++ library, which takes minutes.
by_zig() {
    install_zig
    say "building $1"
    cmake -G Ninja -S test/platforms -B "build/$1" --toolchain "$PWD/cmake/toolchains/$1.cmake" ||
        die "cannot configure, see above"
    cmake --build "build/$1" || die "the build of $1 failed"
}

run_child() {
    ctest --test-dir build/musl --output-on-failure --no-tests=error --timeout 60 || die "a server does not run as a child process, see above"
    passed musl
}

jitter() {
    build check
    say "testing check with jitter"
    python3 -B test/jitter/jitter.py ${2:+--seed "$2"} ctest --preset check ${1:+--tests-regex "$1"} ||
        die "tests failed with jitter; again, with the seed above: bash cmake/setup.sh jitter REGEX SEED"
}

case ${1:-} in
    demo) install_missing demo; demo ;;
    install) [ -n "${2:-}" ] || usage; install_missing demo; install_in "$2" ;;
    check) install_missing check; check ;;
    test) install_missing test; test_all ;;
    product) install_missing product; product ;;
    static) install_missing static; static_programs ;;
    arm64) install_missing arm64; arm64 ;;
    musl) install_missing musl; by_zig musl; run_child ;;
    macos) install_missing macos; by_zig macos; say "the libraries are compiled for macOS, and untested" ;;
    jitter) install_missing check; jitter "${2:-}" "${3:-}" ;;
    fuzz) install_missing fuzz; fuzz "${2:-600}" ;;
    matrix) install_missing matrix; bash test/platforms/matrix.sh "${@:2}" ;;
    peers) bash test/bench/peers/setup.sh ;;
    *) usage ;;
esac
