"""Holds the manifest and the tests together:
check.py <folder of tests>        what is wrong between them, if anything
check.py <folder of tests> renew  writes the tests of each rule into the manifest, and then the same"""

import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

import manifest


def main():
    tests = Path(sys.argv[1])
    if sys.argv[2:] == ["renew"]:
        manifest.renew(tests / "manifest" / "rules", manifest.read_markers(tests, manifest.Faults()))
    rules, _, faults = manifest.load(tests)
    kinds = Counter(rule.excuse or "with tests" for rule in rules.values())
    print(f"{len(rules)} rules: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults or not rules else 0)


main()
