"""Tokens at random, good and bad, judged by the library and by others: npm jose, PyPI jwcrypto, libcjose.

    python same_verdicts.py OURS PACKAGES [--cjose PROGRAM] [--seed N] [--count N]

A token is good for an oracle where it keeps the rules of policy.py, which are ours, and the oracle takes its signature
and claims. jose and jwcrypto must say of each token what the library says. What the library takes and Ed25519 has not
signed, libcjose must take.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from jwcrypto import jwk, jwt

import policy
from make_tokens import AUDIENCE, ISSUER, Maker, make_signers

HERE = pathlib.Path(__file__).resolve().parent
NOW = 1_800_000_000


def lines_of(command, tokens):
    done = subprocess.run(command, input="".join(token + "\n" for token in tokens), text=True, check=True,
                          stdout=subprocess.PIPE)
    verdicts = [line == "good" for line in done.stdout.splitlines()]
    if len(verdicts) != len(tokens):
        sys.exit(f"{command[0]} judged {len(verdicts)} of {len(tokens)} tokens")
    return verdicts


def by_jwcrypto(tokens, keys):
    jwt.time.time = lambda: NOW
    known = jwk.JWKSet.from_json(json.dumps({"keys": list(keys.values())}))

    def check(token, claims):
        read = jwt.JWT(algs=sorted(policy.ALGORITHMS), check_claims=claims)
        read.leeway = 60
        read.deserialize(token, known)

    def is_good(token):
        try:
            check(token, {"iss": ISSUER, "aud": AUDIENCE, "exp": None, "sub": None})
            if "nbf" in policy.read_object(policy.decoded(token.split(".")[1])):  # which it else doesn't look at
                check(token, {"nbf": None})
        except Exception:  # pylint: disable=broad-except  # of many kinds, some of them Python's own
            return False
        return True

    return [is_good(token) for token in tokens]


def compare(name, tokens, ours, theirs):
    wrong = [(token, mine) for token, mine, other in zip(tokens, ours, theirs) if mine != other]
    for token, mine in wrong[:5]:
        print(f"{name} says {'bad' if mine else 'good'}: {token}", file=sys.stderr)
    print(f"{name}: {len(tokens) - len(wrong)} of {len(tokens)} verdicts are the same")
    return not wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("ours")
    options.add_argument("packages")
    options.add_argument("--cjose", default="")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--count", type=int, default=10_000)
    chosen = options.parse_args()
    if not chosen.cjose:
        print("libcjose: left out: there is no libcjose-dev here", file=sys.stderr)
        if os.environ.get("CI"):
            sys.exit(1)
    print(f"seed {chosen.seed}")
    signers = make_signers()
    keys = {signer.key_id: signer.jwk for signer in signers}
    maker = Maker(chosen.seed, signers, NOW)
    tokens = [maker.token() for _ in range(chosen.count)]
    tokens = [token for token in tokens if "\n" not in token]
    kept = [policy.keeps(token, keys, NOW) for token in tokens]

    with tempfile.TemporaryDirectory() as folder:
        jwks = pathlib.Path(folder, "jwks.json")
        jwks.write_text(json.dumps({"keys": list(keys.values())}))
        lines = pathlib.Path(folder, "keys")
        lines.write_text("".join(json.dumps(key) + "\n" for key in keys.values() if key["kty"] != "OKP"))
        ours = lines_of([chosen.ours, jwks, str(NOW)], tokens)
        jose = lines_of(["bash", HERE / "../packages.sh", "run", "node", HERE / "jose_verdicts.mjs", chosen.packages,
                         jwks, str(NOW)], tokens)
        good = [token for token, is_good in zip(tokens, ours) if is_good and '"ed"' not in header_of(token)]
        cjose = lines_of([chosen.cjose, lines], good) if chosen.cjose else []

    def judged(verdicts):
        return [rules and verdict for rules, verdict in zip(kept, verdicts)]

    results = [compare("jose", tokens, ours, judged(jose)),
               compare("jwcrypto", tokens, ours, judged(by_jwcrypto(tokens, keys))),
               compare("libcjose", good[:len(cjose)], [True] * len(cjose), cjose)]
    print(f"{sum(ours)} of {len(tokens)} are good")
    if not all(results) or not 0.25 < sum(ours) / len(tokens) < 0.75:
        sys.exit(1)


def header_of(token):
    return policy.decoded(token.split(".")[0]).decode()


main()
