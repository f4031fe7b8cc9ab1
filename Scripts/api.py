#!/usr/bin/env python3
"""Lists the public declarations of all libraries, from the symbols that `make docs` leaves, and compares them with docs/API.txt.

usage: Scripts/api.py [--write]

Without --write it fails where the list is another one, so that the public API changes only on purpose, and where a declaration has no
documentation comment. Compilers write declarations in different ways: the list is compared with the one that wrote it.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GRAPHS = ROOT / ".build" / "symbol-graphs"
SOURCES = ROOT / "Sources"
LIST = ROOT / "docs" / "API.txt"
HIDDEN = "@_documentation(visibility: internal)"


def declaration(symbol):
    """As it is written, in one line."""
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())


def hidden():
    """Public declarations that the documentation leaves out, and with it the symbols: as the sources have them."""
    found = []
    for path in SOURCES.rglob("*.swift"):
        place = path.parent.relative_to(SOURCES)
        module = "/".join(place.parts[: 2 if place.parts[0] == "Bridges" else 1])
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if line.strip() != HIDDEN:
                continue
            outer = [text.removesuffix("{").strip() for text in lines[:number] if text.startswith(("extension ", "public "))]
            text = " ".join(part.strip() for part in lines[number + 1 : number + 40] if not re.fullmatch(r"\s*@\S+", part))
            found.append(f"{module} hidden in {outer[-1] if outer else path.name}: {text.split(' {')[0]}")
    return sorted(found)


def main():
    modules = sorted(path for path in GRAPHS.iterdir() if path.is_dir()) if GRAPHS.is_dir() else []
    if not modules:
        sys.exit("there are no symbols: run `make docs` first")
    swift = subprocess.run([os.environ.get("SWIFT", "swift"), "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"Swift version (\d+\.\d+)", swift)
    lines, bare = [f"# Written with Swift {release.group(1) if release else '?'} by Scripts/api.py"], []
    for module in modules:
        found = set()
        for graph in sorted(module.glob("*.symbols.json")):
            content = json.loads(graph.read_text())
            # They have the comments of the requirements that they meet.
            meeting = {relation["source"] for relation in content["relationships"] if "sourceOrigin" in relation}
            for symbol in content["symbols"]:
                # What the compiler makes, such as != beside ==, and what another module declares.
                if symbol["accessLevel"] not in ("public", "open") or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                    continue
                if symbol["kind"]["identifier"] in ("swift.extension", "swift.module.extension"):
                    continue
                if "location" not in symbol:
                    continue
                path = ".".join(symbol["pathComponents"])
                found.add(f"{module.name} {path}: {declaration(symbol)}")
                if not symbol.get("docComment", {}).get("lines") and symbol["identifier"]["precise"] not in meeting:
                    bare.append(f"{module.name} {path}")
        lines += sorted(found)
    lines += hidden()
    if "--write" in sys.argv[1:]:
        LIST.write_text("\n".join(lines) + "\n")
        return
    known = LIST.read_text().splitlines() if LIST.exists() else []
    if known and known[0] != lines[0]:
        print(f"{LIST.relative_to(ROOT)} is not compared: it says '{known[0]}', and this is '{lines[0]}'")
        known = lines
    changes = [
        line for line in difflib.unified_diff(known, lines, lineterm="", n=0) if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    for line in changes:
        print(line)
    for name in bare:
        print(f"without a documentation comment: {name}")
    if changes:
        print(f"The public API is not the one of {LIST.relative_to(ROOT)}. If that is meant: make api")
    sys.exit(1 if changes or bare else 0)


main()
