"""apps/examples/fleet/run.sh on ports that are free: example_test.py PROGRAMS"""

import os
import subprocess
import sys

sys.dont_write_bytecode = True

from machines import EXAMPLE, free_ports

ports = " ".join(map(str, free_ports(4)))
sys.exit(subprocess.run(["bash", EXAMPLE / "run.sh", sys.argv[1]], env={**os.environ, "PORTS": ports}, check=False).returncode)
