#!/usr/bin/env bash
# Makes certificates for a test:
#   bash certificates.sh FOLDER NAME...
# A CA, ca.pem, which has signed NAME.pem for that name and for 127.0.0.1, with the key NAME.key. What is there stays: a
# second call with the same folder adds to it.
set -euo pipefail
exec </dev/null
cd "$1"
shift

# make FILE SUBJECT ARGUMENTS...: with a key of its own.
make() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout "$1.key" -out "$1.pem" \
        -subj "/CN=$2" "${@:3}" 2>openssl.log || { cat openssl.log >&2; exit 1; }
}

[ -e ca.pem ] || make ca "CA of a test" -addext keyUsage=critical,keyCertSign,cRLSign
for name in "$@"; do
    make "$name" "$name" -CA ca.pem -CAkey ca.key -addext basicConstraints=critical,CA:FALSE \
        -addext "subjectAltName=DNS:$name,IP:127.0.0.1"
done
