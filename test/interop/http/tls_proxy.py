"""nginx and HAProxy with TLS in front of them, and behind."""

from pathlib import Path

from proxy import Proxy, nginx

NGINX = """
    map $http_upgrade $connection_for_upgrade {{
        default upgrade;
        "" "";
    }}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        location / {{
            proxy_pass {scheme}://127.0.0.1:{upstream};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_for_upgrade;
            proxy_set_header Host localhost;
            proxy_buffering off;
            proxy_read_timeout 1h;
            client_max_body_size 4m;
            {more}
        }}
    }}
"""
NGINX_TO_TLS = """
            proxy_ssl_verify on;
            proxy_ssl_trusted_certificate {ca};
            proxy_ssl_name localhost;
            proxy_ssl_server_name on;
            proxy_ssl_protocols TLSv1.2 TLSv1.3;
"""
HAPROXY = """
global
    ssl-default-bind-options ssl-min-ver TLSv1.2
listen partyline
    mode {mode}
    bind fd@{descriptor} {bind}
    timeout client 1h
    timeout connect 5s
    timeout server 1h
    timeout tunnel 1h
    server one 127.0.0.1:{upstream} {more}
"""


class Nginx(Proxy):
    ways = {"tls in front": {}, "tls on both sides": {"scheme": "https", "more": NGINX_TO_TLS}}

    def __init__(self, certificates, upstream, scheme="http", more=""):
        def command(folder, listener):
            certificate, key = certificates.of("localhost")
            return nginx(folder, listener, NGINX.format(
                port=listener.getsockname()[1], certificate=certificate, key=key, scheme=scheme, upstream=upstream,
                more=more.format(ca=certificates.ca)))

        super().__init__(command)


class Haproxy(Proxy):
    in_front = "ssl crt {both} alpn http/1.1"
    behind = "ssl verify required ca-file {ca} sni str(localhost) verifyhost localhost"
    ways = {
        "tls in front": {"bind": in_front},
        "tls on both sides": {"bind": in_front, "more": behind},
        "tls in front, who it is in words": {"bind": in_front, "more": "send-proxy"},
        "tls in front, who it is in bytes": {"bind": in_front, "more": "send-proxy-v2"},
        "tls on both sides, who it is": {"bind": in_front, "more": f"{behind} send-proxy-v2"},
        "as a tunnel, who it is": {"mode": "tcp", "more": "send-proxy-v2"},
    }

    def __init__(self, certificates, upstream, mode="http", bind="", more=""):
        def command(folder, listener):
            both = Path(folder, "both.pem")
            both.write_text("".join(Path(each).read_text() for each in certificates.of("localhost")))
            file = Path(folder, "config")
            file.write_text(HAPROXY.format(mode=mode, descriptor=listener.fileno(), bind=bind.format(both=both),
                                           upstream=upstream, more=more.format(ca=certificates.ca)))
            return ["haproxy", "-db", "-q", "-f", file], {}

        super().__init__(command)


PROXIES = {"nginx": Nginx, "haproxy": Haproxy}
