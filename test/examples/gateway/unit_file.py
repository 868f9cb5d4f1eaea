"""What a systemd unit starts."""
import shlex


def exec_start(unit, programs):
    """The words of ExecStart, with programs of ours in the place of those in /usr/local/bin."""
    text = unit.read_text(encoding="utf-8").replace("\\\n", " ")
    [line] = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    words = shlex.split(line.removeprefix("ExecStart="))
    return [programs[word.removeprefix("/usr/local/bin/")] if word.startswith("/usr/local/bin/") else word for word in words]
