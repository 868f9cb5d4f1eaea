"""Keys and credentials of NATS, made with openssl: what its own tools (nsc, nk) make."""

import base64
import json
import pathlib
import subprocess
import time

OPERATOR, ACCOUNT, USER, SEED = 14 << 3, 0, 20 << 3, 18 << 3


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


def checked_text(data):
    """As keys are written: with a CRC-16, in base 32."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return base64.b32encode(data + crc.to_bytes(2, "little")).decode().rstrip("=")


class Key:
    def __init__(self, kind, path):
        self.kind, self.path = kind, path
        path.write_bytes(openssl("genpkey", "-algorithm", "ed25519"))
        self.public = checked_text(bytes([kind]) + self.raw("-pubout"))

    def raw(self, *what):
        return openssl("pkey", "-in", str(self.path), "-outform", "DER", *what)[-32:]

    def seed(self):
        return checked_text(bytes([SEED | self.kind >> 5, (self.kind & 31) << 3]) + self.raw())

    def sign(self, text):
        message = self.path.with_suffix(".message")
        message.write_text(text)
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", str(self.path), "-in", str(message))


def without_padding(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def grant(by, to, kind, **members):
    claims = {"jti": to.public, "iat": int(time.time()), "iss": by.public, "sub": to.public, "name": kind,
              "nats": {**members, "type": kind, "version": 2}}
    text = ".".join(without_padding(json.dumps(part).encode())
                    for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, claims))
    return f"{text}.{without_padding(by.sign(text))}"


class Realm:
    """An operator, the account of its system, and one of a fleet, for a server's configuration, and users in it."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.operator = Key(OPERATOR, folder / "operator.key")
        self.system, self.account = (Key(ACCOUNT, folder / f"{name}.key") for name in ("system", "account"))

    def configuration(self):
        names = ("subs", "data", "payload", "imports", "exports", "conn", "leaf")
        limits = {**dict.fromkeys(names, -1), "wildcards": True}
        storage = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)
        accounts = {self.system.public: grant(self.operator, self.system, "account", limits=limits),
                    self.account.public: grant(self.operator, self.account, "account", limits={**limits, **storage})}
        return (f"operator: {grant(self.operator, self.operator, 'operator')}\nsystem_account: {self.system.public}\n"
                f"resolver: MEMORY\nresolver_preload: {json.dumps(accounts)}\n")

    def write_credentials(self, path, permissions):
        user = Key(USER, path.with_suffix(".key"))
        allowed = {"pub": {"allow": permissions["publish"]}, "sub": {"allow": permissions["subscribe"]}}
        path.touch(0o600)
        path.write_text("-----BEGIN NATS USER JWT-----\n"
                        f"{grant(self.account, user, 'user', subs=-1, data=-1, payload=-1, **allowed)}\n"
                        "------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n"
                        f"{user.seed()}\n------END USER NKEY SEED------\n")
