"""Writes the manual page of a program, and what completes its options in bash, zsh and fish, from what its --help says:
write_pages.py <program> <version> <folder>"""
import pathlib
import re
import subprocess
import sys


class Option:
    def __init__(self, name, short, takes_value, default, title):
        self.name, self.short, self.takes_value, self.default = name, short, takes_value, default
        self.title = title # of the group that it is the first of, or None
        self.text = ""

    def takes_file(self):
        words = r"\b(file|files|path|folder|directory)\b"
        is_named_so = re.search(r"(^|-)(unix|certificate|key|ca|log|root)$", self.name)
        is_other = re.search(r"-(bytes|ms|timeout)$|^(explain|new-key|new-token)$", self.name) # a number or a principal
        return self.takes_value and not is_other and bool(is_named_so or re.search(words, self.text))


def read_help(text):
    """The description, lines of usage, paragraphs between, the options, and the paragraphs behind them."""
    head, _, tail = text.partition("\nOptions:\n")
    blocks = [block.splitlines() for block in head.strip().split("\n\n")]
    description = " ".join(line.strip() for line in blocks[0]).partition(": ")[2]
    usage = [re.sub(r"^(Usage:)?\s+", "", line) for line in blocks[1]]
    options, behind, title = [], [], None
    for line in tail.splitlines():
        begin = re.match(r"  (?:-(\w) \[ --([\w-]+) \]|--([\w-]+))( arg)?(?: \(=([^)]*)\))?(?:\s+(.*))?$", line)
        if begin:
            short, with_short, alone, value, default, said = begin.groups()
            options.append(Option(with_short or alone, short, bool(value), default, title))
            options[-1].text = said or ""
            title = None
        elif line.startswith(" "):
            options[-1].text += " " + line.strip()
        elif not behind and re.fullmatch(r"\S.*:", line):
            title = line[:-1]
        elif line or behind:
            behind.append(line)
    for option in options:
        option.text = " ".join(option.text.split())
    paragraphs = [block.splitlines() for block in "\n".join(behind).strip().split("\n\n") if block]
    return description, usage, blocks[2:], options, paragraphs


def roff(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def man_page(program, version, description, usage, blocks, options, behind):
    lines = [f'.TH {program.upper()} 1 "" "partyline {version}" "User Commands"', ".SH NAME",
             roff(f"{program} - {description}"), ".SH SYNOPSIS", ".nf"]
    lines += [roff(line) for line in usage] + [".fi", ".SH DESCRIPTION"]
    for number, block in enumerate(blocks):
        if number:
            lines.append(".PP")
        is_table = any(line.startswith("  ") for line in block)
        lines += ([".nf"] if is_table else []) + [roff(line) for line in block] + ([".fi"] if is_table else [])
    if not blocks:
        lines.append(roff(description[0].upper() + description[1:] + "."))
    lines.append(".SH OPTIONS")
    for option in options:
        if option.title:
            lines.append(f".SS {roff(option.title)}")
        name = f"\\fB{roff('--' + option.name)}\\fR"
        if option.short:
            name = f"\\fB{roff('-' + option.short)}\\fR, {name}"
        lines += [".TP", name + (" \\fIarg\\fR" if option.takes_value else "")]
        lines.append(roff(option.text) + (f" (default: {roff(option.default)})" if option.default else ""))
    for block in behind:
        is_status = block[0].startswith("Exit codes")
        lines += [".SH EXIT STATUS" if is_status else ".SH NOTES"] + [roff(line) for line in block]
    lines += [".SH SEE ALSO", roff("The guide of partyline, in its documentation folder.")]
    return "\n".join(lines) + "\n"


def bash(program, options):
    if any(option.name == "completion" for option in options): # it knows more than its options
        return f'# bash completion of {program}\neval "$({program} --completion)"\n'
    names = " ".join("--" + option.name for option in options)
    files = "|".join("--" + option.name for option in options if option.takes_file())
    others = "|".join("--" + option.name for option in options if option.takes_value and not option.takes_file())
    function = "_" + program.replace("-", "_")
    return f"""# bash completion of {program}
{function}()
{{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        [ "${{COMP_WORDS[i]}}" != -- ] || {{ compopt -o default; return; }} # the words of another program
    done
    case $before in
        {files or '--none'}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames; return ;;
        {others or '--none'}) return ;;
    esac
    [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W '{names}' -- "$word")
}}
complete -F {function} {program}
"""


def zsh(program, options):
    def quoted(text):
        return re.sub(r"(['\[\]:\\])", lambda found: "'\\''" if found[1] == "'" else "\\" + found[1], text)
    lines = [f"#compdef {program}", "", "_arguments -S \\"]
    for option in options:
        value = (":file:_files" if option.takes_file() else ":value: ") if option.takes_value else ""
        lines.append(f"    '*--{option.name}[{quoted(option.text)}]{value}' \\")
    lines.append("    '*::word: _normal'")
    return "\n".join(lines) + "\n"


def fish(program, options):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    lines = [f"# fish completion of {program}"]
    for option in options:
        needs = (" -r -F" if option.takes_file() else " -x") if option.takes_value else " -f"
        short = f" -s {option.short}" if option.short else ""
        lines.append(f"complete -c {program}{short} -l {option.name}{needs} -d {quoted(option.text)}")
    return "\n".join(lines) + "\n"


def main():
    program, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    said = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    description, usage, blocks, options, behind = read_help(said)
    name = program.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.1").write_text(man_page(name, version, description, usage, blocks, options, behind))
    (folder / f"{name}.bash").write_text(bash(name, options))
    (folder / f"_{name}").write_text(zsh(name, options))
    (folder / f"{name}.fish").write_text(fish(name, options))


main()
