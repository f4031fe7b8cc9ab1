#!/usr/bin/env python3
"""Draws what busctl-rx writes to a terminal, for README.md.

usage: Scripts/screenshot.py BUSCTL-RX > docs/tail.svg
       Scripts/screenshot.py BUSCTL-RX explore > docs/explore.svg

The commands run on Examples/sample.export in a terminal of 100 columns. The same program draws the same picture. The full screen of
explore needs tmux.
"""
import errno
import fcntl
import os
import pathlib
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import time
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
EXPLORE = ["explore", "--utc", "--no-follow", "--from", "export:Examples/sample.export"]
EXPLORE_ROWS = 30
COMMANDS = [
    ["tail", "--from", "export:Examples/sample.export", "--count", "8", "priority <= warning"],
    ["count", "--from", "export:Examples/sample.export", "--by", "unit", "priority <= err"],
]
# One character is WIDTH wide; a font that is wider or narrower is fitted to it.
WIDTH, HEIGHT, SIZE, MARGIN, BAR = 8.4, 19, 14, 18, 34
BACKGROUND, FOREGROUND, BRIGHT, PROMPT, RED = "#1e2028", "#c9ccd3", "#ffffff", "#7fb785", "#f2777a"
COLORS = {31: RED, 33: "#d7d75f", 36: "#66cccc", 90: "#8a8d96", 39: FOREGROUND}


def run(program, arguments):
    """What the program writes to a terminal."""
    environment = {"TERM": "xterm-256color", "TZ": "UTC", "LANG": "C.UTF-8", "BUSCTL_RX_CONFIG": "", "SYSTEMD_PAGER": ""}
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
            os.chdir(ROOT)
            os.execve(program, [program, *arguments], environment)
        finally:
            os._exit(127)
    output = b""
    try:
        while part := os.read(terminal, 65536):
            output += part
    except OSError as error:
        if error.errno != errno.EIO:  # The end of a terminal, on Linux.
            raise
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        sys.exit(f"{program} {shlex.join(arguments)} ended with status {status}: {output.decode(errors='replace')}")
    return output.decode().replace("\r", "")


def palette(number):
    """A colour of the cube of 256."""
    if not 16 <= number <= 231:
        sys.exit(f"colour {number} is not drawn")
    number -= 16
    parts = [number // 36, number // 6 % 6, number % 6]
    return "#" + "".join(f"{55 + 40 * part if part else 0:02x}" for part in parts)


def style(codes, old):
    """The colour, the weight, and whether colour and background are exchanged, after `ESC [ codes m`."""
    color, bold, reversed_ = old
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            color, bold, reversed_ = FOREGROUND, False, False
        elif number == 1:
            bold = True
        elif number in (4, 24, 49):
            pass
        elif number in (7, 27):
            reversed_ = number == 7
        elif number in COLORS:
            color = COLORS[number]
        elif number == 38 and numbers[:2] == [5, 8]:
            color, numbers = COLORS[90], numbers[2:]
        elif number == 38 and numbers[:1] == [5]:
            color, numbers = palette(numbers[1]), numbers[2:]
        else:
            sys.exit(f"the style {codes} is not drawn")
    return color, bold, reversed_


def lines(text):
    """Lines of the terminal, each a list of runs (column, text, style)."""
    now, line, column = (FOREGROUND, False, False), [], 0
    for piece in re.split(r"(\x1b\[[0-9;]*m|\n)", text):
        if piece == "\n":
            yield line
            line, column = [], 0
        elif piece.startswith("\x1b"):
            now = style(piece[2:-1], now)
        while piece and piece[0] not in "\x1b\n":
            if column == COLUMNS:
                yield line
                line, column = [], 0
            part, piece = piece[: COLUMNS - column], piece[COLUMNS - column :]
            line.append((column, part, now))
            column += len(part)
    if line:
        yield line


def prompt(arguments):
    """The line that was typed. It must fit."""
    words = shlex.join(["busctl-rx", *arguments])
    return [(0, "$", (PROMPT, True, False)), (2, words, (BRIGHT, True, False))]


def drawn(row, line):
    for column, text, (color, bold, reversed_) in line:
        if reversed_:
            place = f'x="{MARGIN + column * WIDTH:.1f}" y="{BAR + MARGIN + row * HEIGHT - SIZE}"'
            yield f'<rect {place} width="{len(text) * WIDTH:.1f}" height="{HEIGHT}" fill="{color}"/>'
            color = BACKGROUND
        # Spaces have nothing to draw, and some programs join them.
        for found in re.finditer(r"\S+(?: \S+)*", text):
            word = found.group()
            x, y = MARGIN + (column + found.start()) * WIDTH, BAR + MARGIN + row * HEIGHT
            fill = "" if color == FOREGROUND else f' fill="{color}"'
            weight = ' font-weight="bold"' if bold else ""
            length = f'textLength="{len(word) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            yield f'<text x="{x:.1f}" y="{y}" {length}{fill}{weight}>{escape(word)}</text>'


def screen(program):
    """What explore shows with the values of fields beside the records, and one of them chosen."""
    with tempfile.TemporaryDirectory() as folder:
        tmux = ["tmux", "-u", "-S", f"{folder}/socket", "-f", "/dev/null"]

        def asked(*words):
            return subprocess.run([*tmux, *words], check=True, capture_output=True, text=True).stdout

        def wait(part):
            end = time.monotonic() + 30
            while part not in asked("capture-pane", "-p"):
                if time.monotonic() > end:
                    sys.exit(f"explore does not show '{part}'")
                time.sleep(0.05)

        size = ["-x", str(COLUMNS), "-y", str(EXPLORE_ROWS)]
        variables = [word for name in ["LANG=C.UTF-8", "TERM=xterm-256color"] for word in ("-e", name)]
        subprocess.run([*tmux, "new-session", "-d", *size, *variables, "-c", ROOT, program, *EXPLORE], check=True)
        try:
            wait("records")
            asked("send-keys", "f")
            wait("host (")
            return asked("capture-pane", "-p", "-e")
        finally:
            asked("kill-server")


def main(program, *full):
    program = os.path.abspath(program)
    rows = []
    if full:
        rows, title = list(lines(screen(program).rstrip("\n"))), "busctl-rx explore in a terminal"
    else:
        title = "busctl-rx tail and busctl-rx count in a terminal"
        for arguments in COMMANDS:
            rows += [[]] if rows else []
            rows += [prompt(arguments), *lines(run(program, arguments))]
    width, height = round(2 * MARGIN + COLUMNS * WIDTH), BAR + MARGIN + len(rows) * HEIGHT
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
    print(f"<title>{title}</title>")
    print(f'<rect width="{width}" height="{height}" rx="9" fill="{BACKGROUND}"/>')
    for index, color in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        print(f'<circle cx="{MARGIN + 4 + 20 * index}" cy="18" r="6" fill="{color}"/>')
    family = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
    print(f'<g font-family="{family}" font-size="{SIZE}" fill="{FOREGROUND}">')
    for row, line in enumerate(rows):
        for element in drawn(row, line):
            print(element)
    print("</g>\n</svg>")


main(*sys.argv[1:])
