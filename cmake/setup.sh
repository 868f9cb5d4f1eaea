#!/usr/bin/env bash
# From a fresh machine to a running partyline:
#   bash cmake/setup.sh demo    installs what is missing, builds the programs, shows the sample server at work
#   bash cmake/setup.sh check   installs what is missing, builds what compiles soonest, runs the tests that are quick
#   bash cmake/setup.sh test    installs what is missing, builds, runs all tests, also under the sanitizers, fuzzes a minute
#   bash cmake/setup.sh peers   sets up what partyline-bench compares with, as far as node, python3, go and cargo are there
#   bash cmake/setup.sh fuzz [seconds]    installs what is missing, fuzzes each target for so long, by default ten minutes
# Installs only what is not there yet, so that a second run is quick and needs neither network nor root.
set -euo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs

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

# What a command needs: the second compiler is quicker, and knows how to fuzz; what measures or stands for foreign code is for
# the tests that take long.
wanted_packages() {
    local boost
    boost=$(boost_version)
    echo g++ cmake ninja-build ccache pkgconf python3
    echo "libboost${boost}-dev" "libboost-json${boost}-dev" "libboost-test${boost}-dev"
    echo "libboost-program-options${boost}-dev" libssl-dev
    case $1 in test | check | fuzz) echo clang-19 ;; esac
    case $1 in test | fuzz) echo libclang-rt-19-dev ;; esac
    case $1 in test | check) echo clang-format-19 clang-tidy-19 shellcheck codespell ;; esac
    [ "$1" = test ] || return 0
    echo libbenchmark-dev valgrind python3-venv nodejs npm clangd-19 neovim
    echo doxygen             # makes the reference
    echo curl slowhttptest   # talk HTTP with our servers
    echo fish zsh            # their completions are checked
    browser_package
    echo libtest-json-schema-acceptance-perl # has the public tests of JSON Schema
    [ -n "${CI:-}" ] || return 0
    echo nginx-light haproxy # which Debian starts as services at once
    echo dpkg-dev mmdebstrap # make packages, and a Debian to install them in
}

is_there() {
    case $1 in
        lib*) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
        dpkg-dev) command -v dpkg-shlibdeps >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        neovim) command -v nvim >/dev/null ;;
        nginx-light) PATH=$PATH:/usr/sbin command -v nginx >/dev/null ;;
        haproxy) PATH=$PATH:/usr/sbin command -v haproxy >/dev/null ;;
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
    ${as_root[@]+"${as_root[@]}"} apt-get update ||
        printf 'setup: apt-get update failed; trying with the package lists that are there\n' >&2
    # Another Boost's development files would have to go: that is for the machine's owner to decide.
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends --no-remove "${missing[@]}" ||
        die "apt-get could not install: ${missing[*]}. If it wanted to remove packages (another Boost), remove them" \
            "yourself, or install Boost 1.81 or newer elsewhere and name it by CMAKE_PREFIX_PATH."
}

# Compilers that the project is not built with every day may warn where others do not.
build() {
    local werror=OFF
    [ -z "$(boost_version)" ] || werror=ON
    say "building $1"
    cmake --preset "$1" -D PARTYLINE_WERROR=$werror -D PARTYLINE_UNITY=ON ||
        die "cannot configure, see above; after a change of compiler remove build/$1 first"
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

run_tests() {
    local prefix
    prefix=$(run_prefix "$1")
    say "testing $1"
    # shellcheck disable=SC2086  # no prefix, or a command with its option
    $prefix ctest --preset "$1" || die "tests of $1 failed; again: ctest --preset $1 --rerun-failed"
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
    local target failed=0 targets=(framing headers http http_body http_exchange http_response opening websocket envelope schema session lsp mcp typed)
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

demo() {
    local echo_server=build/release/bin/partyline-echo
    local request='{"jsonrpc":"2.0","id":1,"method":"add","params":{"a":2,"b":40}}'
    build release --target partyline-echo partyline-call partyline-tools partyline-gateway
    say "$echo_server --demo"
    "$echo_server" --demo
    say "echo '$request' | $echo_server"
    echo "$request" | "$echo_server"
}

# What talks to foreign programs is left out without them, visibly, but not where CI is set.
install_interop() {
    say "installing what the interop tests talk to"
    bash test/interop/packages.sh install || [ -z "${CI:-}" ] || die "the interop tests have to run where CI is set"
}

passed() { say "all tests passed: $1, in $((SECONDS / 60)) min $((SECONDS % 60)) s"; }

check() {
    build check
    run_tests check
    passed "check; those that take long: bash cmake/setup.sh test"
}

# What is fetched from elsewhere comes while the build goes on.
test_release() {
    local interop
    install_interop &
    interop=$!
    trap 'wait || true' EXIT # nothing goes on behind a build that fails
    build release
    wait "$interop" || die "see above"
    run_tests release
}

test_all() {
    local preset
    test_release
    for preset in asan tsan; do
        build "$preset"
        run_tests "$preset"
    done
    fuzz 60
    passed "release, asan (address and undefined behaviour), tsan, fuzz"
}

case ${1:-} in
    demo) install_missing demo; demo ;;
    check) install_missing check; check ;;
    test) install_missing test; test_all ;;
    fuzz) install_missing fuzz; fuzz "${2:-600}" ;;
    peers) bash test/bench/peers/setup.sh ;;
    *) printf 'usage: bash cmake/setup.sh demo|check|test|peers|fuzz [seconds]\n' >&2; exit 2 ;;
esac
