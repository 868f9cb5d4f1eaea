"""What is asked of a token here beyond what the libraries check: written apart from the library, for the oracles."""

import base64
import binascii
import json
import re

ALGORITHMS = {"RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"}
TYPES = {"jwt", "at+jwt", "application/at+jwt"}
PART = re.compile(r"[A-Za-z0-9_-]+")
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Refused(Exception):
    """The token breaks a rule."""


def require(holds):
    if not holds:
        raise Refused


def decoded(part):
    require(PART.fullmatch(part))
    try:
        data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except binascii.Error as error:
        raise Refused from error
    require(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == part)
    return data


def unique(members):
    require(len({name for name, _ in members}) == len(members))
    return dict(members)


def read_object(data):
    """An object with no name twice. (The tokens made here have no objects within others that have one twice.)"""
    def refuse(constant):
        raise Refused(constant)

    try:
        text = data.decode()
        require(not text.startswith("\ufeff"))
        value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Refused from error
    require(isinstance(value, dict))
    return value


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def is_name(value):
    return isinstance(value, str) and not UNPRINTABLE.search(value) and 1 <= len(value.encode()) <= 256


def is_time(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 253402300799


def check_header(header, keys):
    require(depth(header) <= 4 and "crit" not in header)
    require(isinstance(header.get("alg"), str) and header["alg"] in ALGORITHMS)
    require("typ" not in header or isinstance(header["typ"], str) and header["typ"].lower() in TYPES)
    require(isinstance(header.get("kid"), str) and header["kid"] in keys)  # needed: there are several
    require(keys[header["kid"]].get("alg", header["alg"]) == header["alg"])


def check_claims(claims, now):
    require(depth(claims) <= 32)
    for name in ("exp", "nbf", "iat"):
        require(name not in claims and name != "exp" or is_time(claims.get(name)))
    require(claims.get("iat", 0) <= now + 60)
    audiences = claims.get("aud")
    require(isinstance(audiences, str) or isinstance(audiences, list) and all(isinstance(a, str) for a in audiences))
    require(is_name(claims.get("sub")))
    scopes = claims.get("scope", [])
    require(isinstance(scopes, (str, list)))
    scopes = [scope for scope in scopes.split(" ") if scope] if isinstance(scopes, str) else scopes
    require(len(scopes) <= 256 and all(isinstance(scope, str) for scope in scopes))


def keeps(token, keys, now):
    """Whether a token keeps the rules. `keys`: the JWKs by their ids."""
    try:
        require(len(token) <= 8192)
        parts = token.split(".")
        require(len(parts) == 3)
        header, claims, _ = map(decoded, parts)
        check_header(read_object(header), keys)
        check_claims(read_object(claims), now)
    except Refused:
        return False
    return True
