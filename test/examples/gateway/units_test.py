"""systemd has nothing to say against the gateway's units: units_test.py FOLDER GATEWAY SERVER"""
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER, GATEWAY, SERVER = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

with tempfile.TemporaryDirectory() as place:
    units = []
    for name in ("partyline-gateway.service", "partyline-gateway.socket"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        for program in (GATEWAY, SERVER):  # it looks whether they are there
            text = text.replace("/usr/local/bin/" + Path(program).name, program)
        assert "ExecStart=/usr/local" not in text
        units.append(Path(place, name))
        units[-1].write_text(text, encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", *units], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
    # What else is wrong with the units of this machine is not ours.
    ours = [line for line in verified.stdout.splitlines() if "partyline" in line]
    assert not ours, "\n".join(ours)
