"""Talks with a program as a dialogue has it: dialogue.py DIALOGUE PROGRAM [ARGUMENTS...]

A line of a dialogue that begins with "> " is sent; one with "< " is what the program says next, exactly; one with "! " stands
on its standard error, in this order and alone. Others are comments. At the end of the dialogue that of the program's input has
come: it says nothing more, and exits with 0.
"""
import subprocess
import sys
import tempfile
import threading

PATIENCE = 60  # seconds, for all of it

DIALOGUE, *COMMAND = sys.argv[1:]
with open(DIALOGUE, encoding="utf-8") as file:
    LINES = file.read().splitlines()


def talk(program, say):
    for line in LINES:
        kind, text = line[:2], line[2:] + "\n"
        if kind == "> ":
            program.stdin.write(text)
            program.stdin.flush()
        elif kind == "< ":
            say("output", text, program.stdout.readline())
    program.stdin.close()
    say("more output", "", program.stdout.read())
    say("exit code", 0, program.wait())


def compare(what, expected, got):
    if expected != got:
        raise AssertionError(f"{what}: expected\n{expected}got\n{got}")


with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as program:
        end = threading.Timer(PATIENCE, program.kill)
        end.start()
        try:
            talk(program, compare)
        finally:
            end.cancel()
            program.kill()
            errors.seek(0)
            on_errors = errors.read()
            sys.stderr.write(on_errors)
    compare("standard error", "".join(line[2:] + "\n" for line in LINES if line.startswith("! ")), on_errors)
