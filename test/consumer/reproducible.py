"""Whether the library's objects depend on where they are compiled: reproducible.py SOURCES BUILD SCRATCH COMPILER

Compiles some sources of the library again, by the commands of BUILD but in a copy in SCRATCH, and compares the bytes of the objects.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

EVERY = 20  # one of so many is compiled again, the last first: of sources that are compiled together these are the fewest
LIBRARY = "lib/CMakeFiles/partyline.dir"


class Copy:
    """The sources, and of the build what the commands need, in another folder."""

    def __init__(self, sources, build, folder):
        self.build = folder / "build"
        self.places = {str(sources): str(folder / "sources"), str(build): str(self.build)}
        shutil.rmtree(folder, ignore_errors=True)
        for part in ("include", "lib"):
            shutil.copytree(sources / part, folder / "sources" / part)
        (self.build / LIBRARY).mkdir(parents=True)
        for header in ("cmake_pch.hxx", "cmake_pch.hxx.cxx"):
            shutil.copy(build / LIBRARY / header, self.build / LIBRARY)

    def moved(self, text):
        """The longer place first: a build folder may be among the sources."""
        places = sorted(self.places, key=len, reverse=True)
        return re.sub("|".join(map(re.escape, places)), lambda found: self.places[found[0]], text)

    def compile(self, entry, compiler):
        """Without a launcher, such as a compiler cache. A source that includes others has their places in it."""
        command = self.moved(compiler + entry["command"].partition(compiler)[2])
        output = self.build / output_of(entry)
        output.parent.mkdir(parents=True, exist_ok=True)
        source = Path(self.moved(entry["file"]))
        if not source.exists():
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(self.moved(Path(entry["file"]).read_text()))
        subprocess.run(command, shell=True, check=True, cwd=self.build)
        return output.read_bytes()


def output_of(entry):
    words = entry["command"].split()
    return words[words.index("-o") + 1]


def main():
    sources, build, scratch = (Path(word).resolve() for word in sys.argv[1:4])
    compiler = sys.argv[4]
    entries = json.loads((build / "compile_commands.json").read_text())
    entries = [entry for entry in entries if output_of(entry).startswith(LIBRARY)]
    headers = [entry for entry in entries if output_of(entry).startswith(f"{LIBRARY}/cmake_pch.")]
    chosen = [entry for entry in entries if entry not in headers][::-EVERY]
    if not chosen:
        sys.exit(f"{build} has no object of the library")

    copy = Copy(sources, build, scratch)
    for entry in headers:
        copy.compile(entry, compiler)
    differ = [output_of(entry) for entry in chosen
              if copy.compile(entry, compiler) != (build / output_of(entry)).read_bytes()]
    print(f"{len(chosen)} objects were compiled in {scratch}")
    if differ:
        sys.exit("not the same as those of the build: " + ", ".join(differ))


if __name__ == "__main__":
    main()
