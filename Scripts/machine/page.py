"""The page "Tested on" of the documentation: a section for each suite of Debian, which a run of it writes anew."""
import datetime
import importlib
import pathlib
import re

from machine import TREE

PAGE = TREE / "docs/busctl-rx.docc/TestedOn.md"
HEAD = """# Tested on

Machines with systemd as their first process, on which the Debian package was installed and tried.

`make machine-test` boots such a machine under qemu, runs the tests below on it, and writes this page. A test that finds something
writes nothing.
"""


def write(suite, system, results):
    sections = dict(re.findall(r"(?ms)^## .*?\((\w+)\)\n(.*?)(?=^## |\Z)", PAGE.read_text())) if PAGE.exists() else {}
    titles = dict(re.findall(r"(?m)^## ((?:.*)\((\w+)\))$", PAGE.read_text())) if PAGE.exists() else {}
    titles = {name: title for title, name in titles.items()}
    titles[suite] = system[0] if f"({suite})" in system[0] else f"{system[0].split('/')[0]} ({suite})"
    rows = "".join(
        f"| {name} | {importlib.import_module(f'suites.{name}').__doc__.splitlines()[0]} | {'; '.join(said)} |\n" for name, said, *_ in results
    )
    sections[suite] = f"""
{system[1].split(' (')[0]}, Linux {system[2]}, busctl-rx {system[3].split()[-1]}, on {datetime.date.today()}.

| test | what was tried | what was seen |
| --- | --- | --- |
{rows}
"""
    PAGE.write_text(HEAD + "".join(f"\n## {titles[name]}\n{text.rstrip()}\n" for name, text in sections.items()))
