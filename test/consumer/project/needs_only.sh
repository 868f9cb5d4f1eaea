#!/bin/sh
# needs_only.sh PROGRAM: besides what every C++ program needs, it needs Boost, and partyline where that is shared; no
# OpenSSL.
needs=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needs" ] || { echo "readelf says nothing of $1" >&2; exit 1; }
others=$(printf '%s\n' "$needs" | grep -vE '^(libpartyline\.so\.[0-9]+|libboost_[a-z]+\.so\..*|libstdc\+\+\.so\..*|libgcc_s\.so\..*|lib[cm]\.so\..*|ld-linux.*)$')
[ -z "$others" ] || { printf 'the program needs this, too:\n%s\n' "$others" >&2; exit 1; }
