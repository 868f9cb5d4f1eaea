"""Good and bad tokens at random, by a seed. Only the keys and the signatures differ from run to run."""

import base64
import json
import random

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

ISSUER = "https://as.example.org"
AUDIENCE = "https://rpc.example.org/mcp"
SHA256 = hashes.SHA256()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return encoded(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


class Signer:
    """A private key, the algorithm by which it signs, and its JWK."""

    def __init__(self, key_id, algorithm, **more):
        self.key_id, self.algorithm = key_id, algorithm
        if algorithm == "EdDSA":
            self.key = ed25519.Ed25519PrivateKey.generate()
            jwk = {"kty": "OKP", "crv": "Ed25519", "x": encoded(self.key.public_key().public_bytes_raw())}
        elif algorithm.startswith("ES"):
            curve, self.size = (ec.SECP256R1(), 32) if algorithm == "ES256" else (ec.SECP384R1(), 48)
            self.key = ec.generate_private_key(curve)
            at = self.key.public_key().public_numbers()
            jwk = {"kty": "EC", "crv": f"P-{algorithm[2:]}", "x": number(at.x, self.size), "y": number(at.y, self.size)}
        else:
            self.key = rsa.generate_private_key(65537, 2048)
            public = self.key.public_key().public_numbers()
            jwk = {"kty": "RSA", "n": number(public.n), "e": number(public.e)}
        self.jwk = {**jwk, "kid": key_id, **more}

    def sign(self, text):
        data = text.encode()
        if self.algorithm == "EdDSA":
            return self.key.sign(data)
        if self.algorithm.startswith("ES"):
            digest = SHA256 if self.size == 32 else hashes.SHA384()
            r, s = utils.decode_dss_signature(self.key.sign(data, ec.ECDSA(digest)))
            return r.to_bytes(self.size, "big") + s.to_bytes(self.size, "big")
        if self.algorithm == "PS256":
            return self.key.sign(data, padding.PSS(padding.MGF1(SHA256), 32), SHA256)
        return self.key.sign(data, padding.PKCS1v15(), SHA256)


def make_signers():
    return [
        Signer("rs", "RS256"),
        Signer("ps", "PS256", alg="PS256", use="sig"),
        Signer("es", "ES256", use="sig", key_ops=["verify"]),
        Signer("es3", "ES384", alg="ES384"),
        Signer("ed", "EdDSA"),
    ]


class Maker:
    """Makes tokens. Most differ from a good one in one thing or two."""

    def __init__(self, seed, signers, now):
        self.random, self.signers, self.now = random.Random(seed), signers, now
        self.strangers = {signer.algorithm: Signer(signer.key_id, signer.algorithm) for signer in signers}

    def token(self):
        signer = self.random.choice(self.signers)
        header = {"alg": signer.algorithm, "kid": signer.key_id, "typ": "at+jwt"}
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "alice", "scope": "files:read files:write",
                  "iat": self.now - 5, "exp": self.now + 300}
        faults = self.random.choice([0, 0, 0, 1, 1, 1, 1, 2])
        changes = [self.change_header, self.change_claims, self.change_claims, self.change_claims,
                   self.change_text, self.change_token, self.change_signer]
        chosen = [self.random.choice(changes) for _ in range(faults)]
        for change in chosen:
            if change in (self.change_header, self.change_claims):
                change(header, claims)
        texts = [json.dumps(header), json.dumps(claims)]
        if self.change_text in chosen:
            self.change_text(texts)
        if self.change_signer in chosen:
            signer = self.change_signer(signer)
        signed = ".".join(encoded(text.encode("utf-8", "surrogatepass")) for text in texts)
        token = signed + "." + encoded(signer.sign(signed))
        return self.change_token(token) if self.change_token in chosen else token

    def change_header(self, header, _):
        name, values = self.random.choice([
            ("alg", ["none", "HS256", "RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519", "RS512", "es256", "", 1, None]),
            ("kid", ["rs", "ps", "es", "es3", "ed", "other", "", "RS", "../rs", "rs\0", "k" * 1024, 1, None]),
            ("typ", ["JWT", "jwt", "AT+JWT", "application/at+jwt", "dpop+jwt", "", 1, None]),
            ("crit", [["exp"], [], ["b64"], "exp", None]),
            ("jwk", [self.strangers["ES256"].jwk, {}, None]),
            ("jku", ["https://evil.example/keys"]),
            ("x5c", [["MIIB"], [[[]]], [[[[]]]]]),
            ("cty", ["JWT", "json"]),
        ])
        self.put(header, name, values)

    def change_claims(self, _, claims):
        now = self.now
        times = [now - 3600, now - 61, now - 59, now - 1, now, now + 1, now + 59, now + 60, now + 61, now + 3600,
                 now + 0.5, now - 59.5, now - 60.5, now + 60.5, 0, -1, -0.5, 1e9, 1e308, 99999999999999, 10**30,
                 str(now + 300), "", None, [], [now], {}]
        names = ["", "bob", "\u00c4rzte", "a b", "a\n", "a\0", "\u202e", "\u007f", "a" * 256, "a" * 257, "\u00e4" * 256,
                 "\U0001F600" * 200, 5, None, [], ["alice"]]
        name, values = self.random.choice([
            ("iss", ["https://as.example.org/", "https://AS.example.org", "", "https://evil.example", 1, None,
                     [ISSUER]]),
            ("aud", [[AUDIENCE], ["a", AUDIENCE], ["a"], [], "a", AUDIENCE + "/", AUDIENCE[:-1], "", 1, None, {},
                     ["a"] * 1000, ["a"] * 900 + [AUDIENCE], [AUDIENCE, 1], [[AUDIENCE]]]),
            ("sub", names),
            ("scope", ["", "a", " a  b ", ["a", "b"], ["a b"], [], [1], ["a", None], "a " * 257, "a " * 256,
                       ["a"] * 257, "a\nb", 1, None, {}]),
            ("exp", times), ("nbf", times), ("iat", times),
            ("more", [{"a": [1, {"b": None}]}, [[[[[[]]]]]], "x" * 4000, "x" * 9000, 1e-400, -0.0, "\u2028"]),
        ])
        self.put(claims, name, values)

    def put(self, members, name, values):
        if self.random.random() < 0.1:
            members.pop(name, None)
        else:
            members[name] = self.random.choice(values)

    def change_text(self, texts):
        which = self.random.randrange(2)
        text = texts[which]
        at = self.random.randrange(len(text))
        name = self.random.choice(["alg", "kid"] if which == 0 else ["sub", "aud", "exp", "iss"])
        texts[which] = self.random.choice([
            text[:at] + self.random.choice("{}[],:\"' 0a\\") + text[at:], text[:at], text[:at] + text[at + 1:],
            " " + text + "\n", text + text, "\ufeff" + text, text.replace(":", " : "), "[" + text + "]",
            text[:-1] + f', "{name}": "x"}}', f'{{"{name}": "x", ' + text[1:],
            f'{{"\\u{ord(name[0]):04x}{name[1:]}": "x", ' + text[1:], text[:-1] + ', "more": {"a": 1}}'])

    def change_token(self, token):
        at = self.random.randrange(len(token))
        parts = token.split(".")
        last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return self.random.choice([
            token[:at] + self.random.choice(last) + token[at + 1:], token[:at] + token[at + 1:],
            token[:at] + self.random.choice("=+/. \t%~") + token[at:], token[:-1] + self.random.choice(last),
            token + "=", token + "==", token + ".", token + ".AAAA", "." + token, token[:at], " " + token,
            ".".join(parts[:2]), ".".join(parts[:2]) + ".", ".".join([parts[0], parts[1], parts[2] * 2]),
            ".".join([parts[1], parts[0], parts[2]]), ".".join([parts[0], parts[1], "A" * len(parts[2])]),
            ".".join([parts[0], parts[1], encoded(b"\0" + base64.urlsafe_b64decode(parts[2] + "=="))])])

    def change_signer(self, signer):
        return self.random.choice([self.strangers[signer.algorithm], self.random.choice(self.signers)])
