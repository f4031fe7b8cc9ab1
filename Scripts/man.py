#!/usr/bin/env python3
"""Writes the manual pages of busctl-rx: what the program says of its commands and options, and the sections in Manual/.

usage: Scripts/man.py BUSCTL-RX FOLDER

The date of the pages is SOURCE_DATE_EPOCH, if it is set.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

MANUAL = pathlib.Path(__file__).resolve().parent.parent / "Manual"


# What stands behind the options of a command, unless it is a filter that may be left out.
OPERANDS = {
    "sources": [],
    "inspect": [".Ar tap"],
    "post": [".Ar tap", ".Ar topic", ".Ar value"],
}


def operands(command):
    return OPERANDS.get(command["name"], [".Op Ar filter"])


def escaped(text):
    """Text in which troff sees neither macros nor escapes nor characters beyond ASCII, and which is shown character for character."""
    text = text.replace("\\", "\\e").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    text = text.replace("-", "\\-")
    text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
    return "\\&" + text if text.startswith(".") else text


def sentences(text):
    """One sentence a line."""
    return [escaped(line) for line in re.split(r"(?<=[a-z0-9)'][.]) (?=[A-Z-])", text)]


def paragraphs(text):
    """Paragraphs are apart by an empty line. What is indented is shown as it is."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("Exit status:"):
            continue  # Manual/ says more.
        if paragraph.startswith("  "):
            yield ".Bd -literal -offset indent"
            yield from (escaped(line.strip()) for line in paragraph.split("\n"))
            yield ".Ed"
        else:
            yield ".Pp"
            yield from sentences(paragraph)


def title(option):
    value = f" Ar {escaped(option['value'])}" if option["value"] else ""
    return ".It " + " , ".join(f"Fl {escaped(name[1:])}{value}" for name in option["names"])


def options(command):
    section = None
    for option in sorted(command["options"], key=lambda option: option["section"]):
        if section != option["section"]:
            if section is not None:
                yield ".El"
            section = option["section"]
            yield f".Ss {section}" if section else ".Sh OPTIONS"
            yield ".Bl -tag -width indent"
        yield title(option)
        yield from sentences(option["help"])
        if option["choices"]:
            rest = f"; {option['default']} if the option is not given." if option["default"] else "."
            yield escaped(f"One of {', '.join(option['choices'])}{rest}")
    yield ".El"


def page(command, name, synopsis):
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    yield time.strftime(".Dd %B %-d, %Y", time.gmtime(seconds))
    yield f".Dt {name.upper()} 1"
    yield ".Os busctl-rx"
    yield ".Sh NAME"
    yield f".Nm {name}"
    yield f".Nd {escaped(command['summary'].rstrip('.'))}"
    yield ".Sh SYNOPSIS"
    yield from synopsis
    yield ".Sh DESCRIPTION"
    if "discussion" in command:
        yield from list(paragraphs(command["discussion"]))[1:]
        yield from options(command)
    yield (MANUAL / f"{name}.mdoc").read_text().rstrip("\n")


def main(program, folder):
    said = subprocess.run([program, "---describe"], check=True, capture_output=True).stdout
    root = json.loads(said)
    commands = root["commands"]
    usage = [line for c in commands for line in (".Nm", f".Cm {c['name']}", ".Op Ar options", *operands(c))]
    pages = {"busctl-rx": page(root, "busctl-rx", usage)}
    for command in commands:
        synopsis = [f".Nm busctl-rx {command['name']}", ".Op Ar options", *operands(command)]
        pages[f"busctl-rx-{command['name']}"] = page(command, f"busctl-rx-{command['name']}", synopsis)
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        (target / f"{name}.1").write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
