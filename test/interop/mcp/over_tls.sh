#!/usr/bin/env bash
# Runs a command that trusts a CA of its own: the word TLS in it becomes the options by which our servers have a
# certificate for localhost that it has signed.
#   bash over_tls.sh COMMAND... SERVER --listen 127.0.0.1:0 TLS
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$(dirname "${BASH_SOURCE[0]}")/../certificates.sh" "$folder" localhost
words=()
for word in "$@"; do
    if [ "$word" = TLS ]; then
        words+=(--tls-certificate "$folder/localhost.pem" --tls-key "$folder/localhost.key")
    else
        words+=("$word")
    fi
done
NODE_EXTRA_CA_CERTS=$folder/ca.pem SSL_CERT_FILE=$folder/ca.pem "${words[@]}"
