"""Runs the commands of a page and compares what they print with what the page promises:

    python3 run_page.py PAGE --build BUILD --programs FOLDER [--prefix PREFIX] [--folder FOLDER]

A block of `sh` is commands. A block of `text` behind it, where there is one, is what they print: `…` stands for any part of a
line, or, alone, for any lines. What stands above a block says more:

    <!-- not run: WHY -->    commands that are for the reader alone
    <!-- installed -->       commands that need partyline installed; without --prefix they are left out
    <!-- file: NAME -->      a file that the commands use

and by itself `<!-- run: COMMAND -->`, or `<!-- run installed: COMMAND -->`, is a command that the reader does not see.

All of a page runs in one shell, in a folder of its own, which is made afresh. There `build/release` is BUILD, `./NAME` the program of that name,
NAME.cpp the source of one of this page, and `partyline` the project. Ports from 8000 to 8099 become ones that are free. What is started in the background is waited for until it
listens, and ended at the end of the page.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from markdown import read_blocks

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from free_port import free_port

PORT = re.compile(r"(?<![\d.])(?:80\d\d|4222)(?!\d)")
PATIENCE = 60
FOREIGN = ["curl", "nats-server", "openssl"]  # what is not everywhere
IS_SKIPPED = 77

# Waits until somebody listens on each port, and each socket is there.
START = """
set -e
wait_for() {
    for place; do
        for (( attempt = 0; attempt != 400; ++attempt )); do
            case $place in
                *.sock) [ ! -S "$place" ] || break ;;
                *) ! (exec 3<>/dev/tcp/127.0.0.1/"$place") 2>/dev/null || break ;;
            esac
            sleep 0.05
        done
    done
}
end_all() {
    ended=$?
    kill $(jobs -p) 2>/dev/null || true
    wait || true
    exit $ended
}
trap end_all EXIT
"""


class Ports:
    def __init__(self):
        self.free = {}

    def replace(self, text):
        return PORT.sub(lambda found: self.of(found[0]), text)

    def of(self, port):
        if port not in self.free:
            while (one := str(free_port())) in self.free.values():
                pass
            self.free[port] = one
        return self.free[port]


def with_waits(commands):
    """Behind each command that runs in the background: a wait for what it listens on."""
    out, command = [], ""
    for line in commands.splitlines():
        out.append(line)
        command += line + "\n"
        if line.endswith("\\"):
            continue
        if re.search(r"&\s*(#.*)?$", line):
            places = re.findall(r"\d{4,5}\b(?=[\s:]|$)|\S+\.sock\b", command)
            out.append("wait_for " + " ".join(places))
        command = ""
    return "\n".join(out) + "\n"


def matches(expected, printed):
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("…")) + "\n"
    printed = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern, printed) is not None


class Run:
    def __init__(self, page, options):
        self.blocks = read_blocks(page, str(page))
        self.options = options
        self.ports = Ports()
        self.script = START
        self.expected = {}  # by the block of commands
        self.ran = []

    def lay_out(self, folder):
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(self.options.build)
        (folder / "partyline").symlink_to(Path(__file__).resolve().parents[2])
        (folder / "README.md").write_text("A sample for commands that read files.\nTODO: write more.\n")
        if self.options.programs.is_dir():
            for program in self.options.programs.iterdir():
                if os.access(program, os.X_OK) and program.is_file():
                    (folder / program.name).symlink_to(program)

    def prepare(self, folder):
        last = None
        for block in self.blocks:
            if block.mark == "file" or (block.mark == "program" and block.language == "cpp"):
                path = folder / (block.argument if block.mark == "file" else block.argument + ".cpp")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(self.ports.replace(block.text))
            elif block.language == "sh":
                last = block if self.is_run(block) else None
                if last:
                    number = len(self.ran)
                    self.ran.append(block)
                    commands = with_waits(self.ports.replace(block.text))
                    self.script += f"exec >{number}.out 2>&1\n{commands}"
            elif block.language == "text" and last:
                self.expected[last] = block
                last = None

    def is_run(self, block):
        return block.mark != "not run" and (block.mark != "installed" or self.options.prefix is not None)

    def missing(self):
        """Programs of others that the page uses and that are not there."""
        commands = "".join(block.text for block in self.blocks if block.language == "sh" and self.is_run(block))
        return [name for name in FOREIGN if re.search(rf"\b{name} ", commands) and not shutil.which(name)]

    def failures(self, folder):
        environment = dict(os.environ)
        if self.options.prefix:
            environment["CMAKE_PREFIX_PATH"] = str(self.options.prefix)
            environment["PKG_CONFIG_PATH"] = ":".join(map(str, self.options.prefix.glob("lib*/**/pkgconfig")))
        done = subprocess.run(["bash", "-c", self.script], cwd=folder, env=environment, timeout=PATIENCE * 5,
                              stdin=subprocess.DEVNULL, check=False)
        outputs = [folder / f"{number}.out" for number in range(len(self.ran))]
        for block, path in zip(self.ran, outputs):
            printed = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
            is_last = path.exists() and not any(each.exists() for each in outputs[outputs.index(path) + 1:])
            if done.returncode != 0 and is_last:
                yield block.fault(f"exit code {done.returncode} of\n{block.text}which printed\n{printed}")
            elif block in self.expected and path.exists():
                promised = self.ports.replace(self.expected[block].text)
                if not matches(promised, printed):
                    yield self.expected[block].fault(f"promised\n{promised}printed\n{printed}")

    def run(self):
        folder = self.options.folder or Path(tempfile.mkdtemp(prefix="guide-"))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            self.lay_out(folder)
            self.prepare(folder)
            return list(self.failures(folder))
        finally:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=Path)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--prefix", type=Path)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    options.build, options.programs = options.build.resolve(), options.programs.resolve()
    run = Run(options.page, options)
    if missing := run.missing():
        print(f"left out: there is no {missing[0]}")
        return 1 if os.environ.get("CI") else IS_SKIPPED
    failed = run.run()
    for each in failed:
        print(each, file=sys.stderr)
    print(f"{len(run.ran)} blocks of commands ran, {len(run.expected)} had their output compared")
    return 1 if failed or not run.ran else 0


if __name__ == "__main__":
    sys.exit(main())
