"""Runs a command that reaches a server over HTTP by way of a proxy with TLS.

python3 behind_tls_proxy.py nginx|haproxy COMMAND... http://127.0.0.1:PORT/PATH

The last word becomes the proxy's own address, of https; OpenSSL is told of the CA by the variable SSL_CERT_FILE.
"""

import os
import subprocess
import sys
from urllib.parse import urlsplit

sys.dont_write_bytecode = True

from certificates import Certificates
from tls_proxy import PROXIES


def main(name, command, url):
    certificates = Certificates("localhost")
    upstream = urlsplit(url)
    make = PROXIES[name]
    proxy = make(certificates, upstream.port, **make.ways["tls in front"])
    try:
        there = f"https://localhost:{proxy.port}{upstream.path}"
        return subprocess.call([*command, there], env={**os.environ, "SSL_CERT_FILE": certificates.ca})
    finally:
        proxy.stop()
        certificates.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:-1], sys.argv[-1]))
