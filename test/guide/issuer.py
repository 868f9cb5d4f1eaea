"""An authorization server for the commands of a page: python3 issuer.py PORT KEY. Signs access tokens by KEY (RSA, PEM).

Everybody who is sent to its page is alice, and agrees; the program "ci" has the secret "of-ci". Programs register
themselves. Tokens are for whatever they are asked for.
"""

import base64
import hashlib
import json
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlparse

PORT, KEY = int(sys.argv[1]), sys.argv[2]
URL = f"http://127.0.0.1:{PORT}"
METADATA = {
    "issuer": URL, "authorization_endpoint": f"{URL}/authorize", "token_endpoint": f"{URL}/token",
    "registration_endpoint": f"{URL}/register", "response_types_supported": ["code"],
    "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": True,
    "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
}
CODES = {}


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(claims):
    parts = [{"alg": "RS256", "kid": "1", "typ": "at+jwt"}, claims]
    text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", KEY], input=text.encode(), capture_output=True, check=True)
    return f"{text}.{base64url(signature.stdout)}"


def jwks():
    modulus = subprocess.run(["openssl", "rsa", "-in", KEY, "-noout", "-modulus"], capture_output=True, check=True, text=True).stdout
    number = bytes.fromhex(modulus.strip().partition("=")[2])
    return {"keys": [{"kty": "RSA", "kid": "1", "alg": "RS256", "e": "AQAB", "n": base64url(number)}]}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, document, **fields):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urlparse(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/.well-known/oauth-authorization-server":
            self.answer(200, METADATA)
        elif url.path == "/jwks":
            self.answer(200, jwks())
        elif url.path == "/authorize":
            code = base64url(hashlib.sha256(self.path.encode()).digest())
            CODES[code] = asked
            back = urlencode({"code": code, "state": asked["state"], "iss": URL})
            self.answer(302, {}, Location=f"{asked['redirect_uri']}?{back}")
        else:
            self.answer(404, {})

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/register":
            asked = json.loads(text)
            self.answer(201, {**asked, "client_id": "registered", "token_endpoint_auth_method": "none"})
            return
        asked = {name: values[0] for name, values in parse_qs(text).items()}
        who = self.authenticate(asked)
        if who is None:
            self.answer(400, {"error": "invalid_grant"})
            return
        scope = asked.get("scope", "")
        claims = {"iss": URL, "sub": who, "aud": asked["resource"], "scope": scope, "exp": int(time.time()) + 600}
        self.answer(200, {"access_token": signed(claims), "token_type": "Bearer", "expires_in": 600, "scope": scope})

    def authenticate(self, asked):
        """Who gets the token; the scopes of a code become those of its request."""
        if asked["grant_type"] == "client_credentials":
            expected = "Basic " + base64.b64encode(b"ci:of-ci").decode()
            return "ci" if self.headers.get("Authorization") == expected else None
        code = CODES.pop(asked.get("code"), None)
        if code is None:
            return None
        asked["scope"] = code.get("scope", "")
        challenge = base64url(hashlib.sha256(asked["code_verifier"].encode()).digest())
        return "alice" if challenge == code["code_challenge"] else None


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
