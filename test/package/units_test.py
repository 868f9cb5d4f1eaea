"""The units in the examples and in the guide leave little open, and have the limit of descriptors: python3 units_test.py SOURCES
Where there is no systemd-analyze that rates files, as in a container, that is left out."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MOST_EXPOSED = 2.0  # of 10
FIRST_VERSION = 250  # of systemd, whose systemd-analyze has `security --offline`


def systemd_version():
    if not shutil.which("systemd-analyze"):
        return 0
    told = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.match(r"systemd (\d+)", told)[1])


def units():
    """Each service by its name, with its text."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted((SOURCES / "apps/examples").rglob("*.service"))}
    for page in sorted((SOURCES / "apps/guide").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found |= dict(re.findall(r"^<!-- file: (\S+\.service) -->\n```ini\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    return found


class Units(unittest.TestCase):
    def test_all_are_looked_at(self):
        self.assertGreaterEqual(units().keys(), {"tools.service", "partyline-gateway.service", "partyline-front.service",
                                                 "partyline-worker.service"})

    @unittest.skipIf(systemd_version() < FIRST_VERSION, f"there is no systemd-analyze of {FIRST_VERSION} or newer")
    def test_little_is_left_open(self):
        for name, text in units().items():
            with self.subTest(unit=name), tempfile.TemporaryDirectory() as place:
                unit = Path(place, name)
                unit.write_text(text, encoding="utf-8")
                rated = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", unit],
                                       capture_output=True, text=True, check=False)
                exposure = re.search(r"Overall exposure level for \S+: ([0-9.]+)", rated.stdout)
                self.assertIsNotNone(exposure, rated.stdout + rated.stderr)
                self.assertLessEqual(float(exposure[1]), MOST_EXPOSED, rated.stdout)

    def test_programs_may_have_many_descriptors_and_what_they_start_the_usual_ones(self):
        for name, text in units().items():
            with self.subTest(unit=name):
                soft, hard = map(int, re.search(r"^LimitNOFILE=(\d+):(\d+)$", text, re.MULTILINE).groups())
                self.assertEqual(soft, 1024)
                self.assertGreater(hard, 10240)  # connections of HTTP that there may be unless told otherwise


if __name__ == "__main__":
    SOURCES = Path(sys.argv.pop(1)).resolve()
    unittest.main()
