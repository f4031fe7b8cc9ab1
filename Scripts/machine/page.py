"""The page "Tested on" of the documentation: a section for each suite of Debian, which a run of it writes anew."""
import datetime
import importlib
import re

from machine import TREE

PAGE = TREE / "docs/busctl-rx.docc/TestedOn.md"
HEAD = """# Tested on

Machines with systemd as their first process, on which the Debian package was installed and tried.

`make machine-test PAGE=1` boots such a machine under qemu, runs the tests below on it, and writes this page. A test that finds
something writes nothing. The small size has the same kinds of events, and fewer of each.
"""


def kept(section):
    """The rows of a section by their test. Each says on which day it was written."""
    day = re.search(r", on ([\d-]+)\.$", section, re.M)
    rows = {}
    for row, name in re.findall(r"(?m)^(\| (\w+) \| .*) \|$", section):
        if name != "test":
            rows[name] = (row if re.search(r"\(on [\d-]+\)$", row) or not day else f"{row} (on {day[1]})") + " |\n"
    return rows


def write(suite, system, size, results):
    old = PAGE.read_text() if PAGE.exists() else ""
    sections = {name: title + text for title, name, text in re.findall(r"(?ms)^(## [^\n]*\((\w+)\)\n)(.*?)(?=^## |\Z)", old)}
    # sid calls itself "Debian GNU/Linux forky/sid".
    title = system[0] if f"({suite})" in system[0] else f"{re.sub(r' [^ ]*/sid$', '', system[0])} ({suite})"
    rows = kept(sections.get(suite, ""))
    for name, said in results:
        tried = importlib.import_module(f"suites.{name}").__doc__.splitlines()[0]
        rows[name] = f"| {name} | {tried} | {'; '.join(said)} |\n"
    sections[suite] = f"""## {title}

{system[1].split(' (')[0]}, Linux {system[2]}, busctl-rx {system[3]}, {size}, on {datetime.date.today()}.

| test | what was tried | what was seen |
| --- | --- | --- |
{"".join(row for _, row in sorted(rows.items()))}"""
    PAGE.write_text(HEAD + "".join(f"\n{text.rstrip()}\n" for text in sections.values()))
