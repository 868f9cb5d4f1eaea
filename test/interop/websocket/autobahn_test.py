"""Has Autobahn judge the framing of WebSocket, as a server's and as a client's.

usage: autobahn_test.py server|client AUTOBAHN_ECHO

Every case has to be right, but for those that are not to be judged ("INFORMATIONAL"); those of compression, which is not spoken,
are left out, and with them those that send a message in more frames than are taken.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "support"))

from free_port import free_port

CASES = ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*"]
TOO_MANY_FRAMES = [f"9.{kind}.{size}" for kind in (3, 4) for size in (1, 2, 3)]
NAME = "partyline"


def wstest(mode, spec, **more):
    return subprocess.Popen(["bash", os.path.join(HERE, "autobahn.sh"), "run", "-m", mode, "-s", spec],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def judge_server(echo, folder, spec):
    server = subprocess.Popen([echo, "server"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        with open(spec, "w") as out:
            json.dump({"outdir": folder, "servers": [{"agent": NAME, "url": f"ws://127.0.0.1:{port}"}], "cases": CASES,
                       "exclude-cases": TOO_MANY_FRAMES, "exclude-agent-cases": {}}, out)
        judge = wstest("fuzzingclient", spec)
        output, _ = judge.communicate(timeout=300)
        return judge.returncode, output
    finally:
        server.kill()
        server.wait()


def judge_client(echo, folder, spec):
    port = free_port()
    with open(spec, "w") as out:
        json.dump({"outdir": folder, "url": f"ws://127.0.0.1:{port}", "cases": CASES, "exclude-cases": TOO_MANY_FRAMES,
                   "exclude-agent-cases": {}}, out)
    judge = wstest("fuzzingserver", spec)
    try:
        deadline = time.monotonic() + 30
        while subprocess.call([echo, "client", str(port), NAME], stderr=subprocess.DEVNULL, timeout=300) != 0:
            if judge.poll() is not None or time.monotonic() > deadline:
                break
            time.sleep(0.2)  # it does not listen yet
    finally:
        judge.terminate()
    output, _ = judge.communicate(timeout=30)
    return 77 if judge.returncode == 77 else 0, output


def main():
    side, echo = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "spec.json")
        status, output = (judge_server if side == "server" else judge_client)(echo, folder, spec)
        if status == 77:
            print(output)
            return 77
        index = os.path.join(folder, "index.json")
        if status != 0 or not os.path.exists(index):
            print(output)
            return 1
        with open(index) as read:
            cases = json.load(read)[NAME]
    wrong = {case: found for case, found in sorted(cases.items())
             if found["behavior"] not in ("OK", "INFORMATIONAL") or found["behaviorClose"] not in ("OK", "INFORMATIONAL")}
    for case, found in wrong.items():
        print(f"{case}: {found['behavior']}, close {found['behaviorClose']}")
    print(f"{len(cases)} cases, {len(wrong)} of them wrong")
    return 1 if wrong or len(cases) != 295 else 0


if __name__ == "__main__":
    sys.exit(main())
