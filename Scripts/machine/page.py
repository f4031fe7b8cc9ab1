"""The page "Tested on" of the documentation: a section for each suite of Debian, which a run of it writes anew."""
import datetime
import importlib
import re

from machine import TREE

PAGE = TREE / "docs/busctl-rx.docc/TestedOn.md"
HEAD = """# Tested on

Machines with systemd as their first process, on which the Debian package was installed and tried.

`Scripts/machine/test.py --page` boots such a machine under qemu, runs the tests below on it, and writes this page. A test that finds
something writes nothing. `make machine-test` runs the same.
"""


def write(suite, system, results):
    old = PAGE.read_text() if PAGE.exists() else ""
    sections = {name: title + text for title, name, text in re.findall(r"(?ms)^(## [^\n]*\((\w+)\)\n)(.*?)(?=^## |\Z)", old)}
    title = system[0] if f"({suite})" in system[0] else f"{system[0].split('/')[0]} ({suite})"
    rows = ""
    for name, said in results:
        tried = importlib.import_module(f"suites.{name}").__doc__.splitlines()[0]
        rows += f"| {name} | {tried} | {'; '.join(said)} |\n"
    sections[suite] = f"""## {title}

{system[1].split(' (')[0]}, Linux {system[2]}, busctl-rx {system[3].split()[-1]}, on {datetime.date.today()}.

| test | what was tried | what was seen |
| --- | --- | --- |
{rows}"""
    PAGE.write_text(HEAD + "".join(f"\n{text.rstrip()}\n" for text in sections.values()))
