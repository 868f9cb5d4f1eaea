"""A JSON-RPC server that is protected, and its authorization server, for tests of partyline-call --login.

Refresh tokens are taken once each: one that comes twice ends the login, as with many issuers.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse


class Logins:
    """What the authorization server knows, and has seen."""

    def __init__(self):
        self.changed = threading.Condition()
        self.issued = 0
        self.lifetime = 3600
        self.lookups = 0  # of the issuer's metadata: each process makes one before it refreshes
        self.refreshes = []
        self.reused = []
        self.codes = []
        self.registrations = 0
        self.on_refresh = lambda: None  # before it is answered

    def note(self, change):
        with self.changed:
            change()
            self.changed.notify_all()

    def note_lookup(self):
        self.lookups += 1

    def note_registration(self):
        self.registrations += 1

    def wait_for(self, condition, seconds):
        with self.changed:
            return self.changed.wait_for(condition, seconds)

    def current(self):
        return f"refresh-{self.issued}"

    def tokens(self):
        self.issued += 1
        return {"access_token": f"access-{self.issued}", "token_type": "Bearer", "expires_in": self.lifetime,
                "refresh_token": self.current()}

    def answer(self, form):
        """Status and document for a request to the token endpoint."""
        if form["grant_type"] == "authorization_code":
            with self.changed:
                self.codes.append(form["code"])
                return 200, self.tokens()
        token = form["refresh_token"]
        with self.changed:
            is_first = token not in self.refreshes and token == self.current()
            self.refreshes.append(token)
            self.reused += [] if is_first else [token]
            self.changed.notify_all()
        self.on_refresh()
        with self.changed:
            if self.reused:
                return 400, {"error": "invalid_grant", "error_description": "a refresh token was used twice"}
            return 200, self.tokens()


class Handler(BaseHTTPRequestHandler):
    """Both servers; they differ by their addresses."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, document, **fields):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        server = self.server
        path = urlparse(self.path).path
        if path == "/.well-known/oauth-protected-resource/rpc":
            self.answer(200, {"resource": server.url + "/rpc", "authorization_servers": [server.issuer]})
        elif path == "/.well-known/oauth-authorization-server":
            server.logins.note(server.logins.note_lookup)
            self.answer(200, {
                "issuer": server.url, "authorization_endpoint": server.url + "/authorize",
                "token_endpoint": server.url + "/token", "registration_endpoint": server.url + "/register",
                "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
                "authorization_response_iss_parameter_supported": True})
        else:
            self.answer(404, {})

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        logins = self.server.logins
        if self.path == "/rpc":
            shown = self.headers.get("Authorization", "")
            if not shown.startswith("Bearer access-") or shown == "Bearer access-0":
                self.answer(401, {}, WWW_Authenticate='Bearer error="invalid_token"')
            else:
                self.answer(200, {"jsonrpc": "2.0", "id": json.loads(text)["id"], "result": "served"})
        elif self.path == "/register":
            logins.note(logins.note_registration)
            self.answer(201, {"client_id": "registered", "token_endpoint_auth_method": "none"})
        elif self.path == "/token":
            status, document = logins.answer({name: values[0] for name, values in parse_qs(text).items()})
            self.answer(status, document)
        else:
            self.answer(404, {})


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # else a busy machine refuses some of many clients for a second and more


def serve(logins, tls=None):
    """Starts a server; its `url` and `issuer` may be set before it is asked."""
    server = Server(("127.0.0.1", 0), Handler)
    server.logins = logins
    server.url = server.issuer = f"http://127.0.0.1:{server.server_port}"
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
