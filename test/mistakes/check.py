"""Compiles each row of mistakes.cpp behind prologue.hpp, and looks at what the compiler says:
check.py <folder of both> <compiler> <option> ..."""
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "//// "


def read_rows(path):
    """Each row as (sentence, number of its first line, lines)."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith(MARK):
            rows.append((line.removeprefix(MARK), number + 1, []))
        elif rows:
            rows[-1][2].append(line)
    return rows


def find_problem(row, name, command, folder):
    """What is wrong with the compiler's message, or None."""
    sentence, begin, lines = row
    source = pathlib.Path(folder, "row.cpp")
    source.write_text(f'#line {begin} "{name}"\n' + "\n".join(lines) + "\n")
    run = subprocess.run([*command, "-fsyntax-only", str(source)], capture_output=True, text=True)
    if run.returncode == 0:
        return "it compiles"
    first = re.search(r"error: (.*)", run.stderr)
    if not first or sentence not in first[1]:
        return "the compiler says: " + (first[1] if first else run.stderr)
    here = begin + next(i for i, line in enumerate(lines) if line.endswith("// here"))
    if f"{name}:{here}:" not in run.stderr:
        return f"line {here} is not named"
    return None


def precompile(prologue, command, folder):
    """The command for what has the prologue in front of it."""
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout
    header = pathlib.Path(folder, prologue.name)
    compiled = f"{header}.{'pch' if 'clang' in version else 'gch'}"
    subprocess.run([*command, "-x", "c++-header", str(prologue), "-o", compiled], check=True)
    return [*command, "-include", str(header)]


def main():
    source, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    path = source / "mistakes.cpp"
    rows = read_rows(path)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        command = precompile(source / "prologue.hpp", command, folder)
        for row in rows:
            problem = find_problem(row, path.name, command, folder)
            if problem:
                failures += 1
                print(f"{path.name}:{row[1] - 1}: {row[0]}\n    {problem}")
    print(f"{len(rows)} rows, {failures} failures")
    sys.exit(1 if failures or not rows else 0)


main()
