#!/usr/bin/env bash
# The programs of the preset "static" run where there is nothing else but /dev/null, neither a library nor /proc:
# empty_root.sh <folder of the programs> <scratch>
set -euo pipefail
programs=$1 scratch=$2

leave_out() {
    printf 'left out: %s\n' "$1" >&2
    exit 77
}
for program in partyline-echo partyline-call; do
    [ -x "$programs/$program" ] || leave_out "there is no $programs/$program: bash cmake/setup.sh static"
done
[ "$(id -u)" = 0 ] || leave_out "only root may change the root"
for needed in chroot readelf openssl; do
    command -v "$needed" >/dev/null || leave_out "there is no $needed here"
done

die() { printf 'empty_root: %s\n' "$*" >&2; exit 1; }
expect() { # WHAT EXPECTED GOT
    [ "$2" = "$3" ] || die "$1: expected '$2', got '$3'"
}

root=$scratch/root
rm -rf "$scratch"
mkdir -p "$root/etc" "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3 || leave_out "no devices can be made here"
for program in "$programs"/partyline-*; do
    ! readelf --wide --dynamic "$program" | grep -q '(NEEDED)' || die "$program needs a shared library"
    ! readelf --wide --program-headers "$program" | grep -q INTERP || die "$program needs a dynamic linker"
    cp "$program" "$root"
    name=${program##*/}
    printf '%s: %d bytes\n' "$name" "$(stat -c %s "$program")"
    expect "$name --version" "$name" "$(env -i "PATH=$PATH" chroot "$root" "/$name" --version | cut -d ' ' -f 1)"
done

inside() { env -i "PATH=$PATH" chroot "$root" "$@"; }
expect "a child process" 42 "$(inside /partyline-call add 2 40 -- /partyline-echo)"

# The name is in /etc/hosts alone, and the system would have it looked up by a library that is not there.
echo '127.0.0.1 server.example' >"$root/etc/hosts"
echo 'hosts: mdns4_minimal [UNAVAIL=return] files' >"$root/etc/nsswitch.conf"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=server.example \
    -addext subjectAltName=DNS:server.example -keyout "$root/key.pem" -out "$root/certificate.pem" 2>/dev/null
coproc server {
    exec env -i "PATH=$PATH" chroot "$root" /partyline-echo --listen server.example:0 --allow-host server.example \
        --tls-certificate /certificate.pem --tls-key /key.pem --tls-only 2>&1
}
# shellcheck disable=SC2154  # set by coproc
process=$server_PID
trap 'kill "$process" 2>/dev/null || true' EXIT
read -r line <&"${server[0]}" || die "the server has ended"
port=${line##*:}
[[ $port =~ ^[0-9]+$ ]] || die "the server says '$line'"
expect "a call by TLS" 42 "$(inside /partyline-call add 2 40 --tls "server.example:$port" --tls-ca /certificate.pem)"
expect "a call by https" 42 \
    "$(inside /partyline-call "https://server.example:$port/rpc" add 2 40 --tls-ca /certificate.pem)"
kill "$process"
result=0
wait "$process" || result=$?
expect "the server's exit code at SIGTERM" 143 "$result"
