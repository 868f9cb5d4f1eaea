"""Random JSON values in canonical form (RFC 8785), by the library and by PyPI rfc8785.

    python same_canonical.py OURS [--seed N] [--count N]

Both are to write the same, or ours is to refuse what its rule says: whole numbers that no double holds. rfc8785 refuses
whole numbers beyond 2^53, of which ours takes those that a double holds.
"""

import argparse
import json
import random
import struct
import subprocess
import sys
from decimal import Decimal

import rfc8785


def random_text(rng):
    ranges = [(0x20, 0x7E), (0, 0x1F), (0x7F, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)]
    return "".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(0, 8)))


def random_number(rng):
    way = rng.randint(0, 5)
    if way == 0:
        return rng.randint(-10, 10)
    if way == 1:
        return rng.randint(-(2**54), 2**54)
    if way == 2:
        return rng.choice([1, -1]) * (2 ** rng.randint(50, 63) + rng.randint(-3, 3))
    if way == 3:
        return rng.uniform(-1e6, 1e6)
    if way == 4:
        return round(rng.uniform(-1e6, 1e6), rng.randint(0, 3))
    while True:
        number = struct.unpack(">d", rng.randbytes(8))[0]
        if number == number and abs(number) != float("inf"):
            return number


def random_value(rng, depth=0):
    way = rng.randint(0, 6 if depth < 4 else 4)
    if way == 0:
        return rng.choice([True, False, None])
    if way in (1, 2):
        return random_number(rng)
    if way in (3, 4):
        return random_text(rng)
    if way == 5:
        return [random_value(rng, depth + 1) for _ in range(rng.randint(0, 5))]
    return {random_text(rng): random_value(rng, depth + 1) for _ in range(rng.randint(0, 6))}


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def is_lost(number):
    """Whether its text is a whole number of up to 64 bits that no double holds, or a longer one in other digits."""
    text = Decimal(repr(number))
    if text != text.to_integral_value():
        return False
    whole = int(text)
    if abs(whole) >= 2**64:
        return isinstance(number, int) and rfc8785.dumps(float(whole)).decode() != str(whole)
    return int(float(whole)) != whole


def is_refused_by_rule(value):
    return any(is_lost(one) for one in numbers(value))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    values = [random_value(rng) for _ in range(given.count)]
    texts = []
    for value in values:
        texts.append(json.dumps(value, ensure_ascii=rng.random() < 0.5,
                                separators=rng.choice([(",", ":"), (" , ", " : ")])))
    done = subprocess.run([given.ours, "canonical"], input="".join(text + "\n" for text in texts).encode(), check=True,
                          stdout=subprocess.PIPE)
    ours = done.stdout.decode().split("\n")[:-1]
    if len(ours) != len(texts):
        sys.exit(f"{len(ours)} answers to {len(texts)} values")
    counts = {"equal": 0, "refused": 0, "beyond rfc8785": 0}
    for value, text, found in zip(values, texts, ours):
        if is_refused_by_rule(value):
            expected = "refused"
        else:
            try:
                expected = rfc8785.dumps(value).decode()
            except rfc8785.IntegerDomainError:
                counts["beyond rfc8785"] += 1
                if found == "refused":
                    sys.exit(f"refused: {text}")
                continue
        if found != expected:
            sys.exit(f"of {text}\nours is {found}\nexpected {expected}")
        counts["refused" if found == "refused" else "equal"] += 1
    print(counts)


if __name__ == "__main__":
    main()
