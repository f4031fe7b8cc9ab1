#!/usr/bin/env python3
"""Measures how large a program becomes with each library, and compares it with the table in the page "Choose a bridge".

usage: Scripts/sizes.py [--write]

The program is the first sample of the library's own page, built for release with Swift's runtime in it, and stripped. Without --write
it fails where a size is more than a twentieth and 100 KB away from the table. Compilers make programs of different sizes: the table is
compared with the one that it was written with.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/busctl-rx.docc/ChooseABridge.md"
FOLDER = ROOT / ".build/sizes"
SWIFT = os.environ.get("SWIFT", "swift")
HEADING = "### How large a program becomes"
# Modules of other packages that samples import, and the package.
OTHERS = {"Logging": "swift-log", "ServiceLifecycle": "swift-service-lifecycle", "SystemPackage": "swift-system"}


def samples():
    """The first sample of each library's page, by the library."""
    found = {}
    for catalog in (ROOT / "Sources").rglob("*.docc"):
        text = (catalog / f"{catalog.stem}.md").read_text()
        if catalog.stem != "BusTesting" and (sample := re.search(r"^```swift\n(.*?)^```", text, re.M | re.S)):
            found[catalog.stem] = sample[1]
    found["Bridges"] = f"import Bridges\n{found['Bus']}"
    found["Nothing"] = 'print("nothing")\n'
    return found


def manifest(programs):
    products = set(re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text()))
    targets = []
    for name, sample in programs.items():
        imports = set(re.findall(r"^import (\w+)", sample, re.M)) | {name}
        parts = [f'.product(name: "{one}", package: "busctl-rx")' for one in sorted(imports & products)]
        parts += [f'.product(name: "{one}", package: "{package}")' for one, package in OTHERS.items() if one in imports]
        targets.append(f'.executableTarget(name: "with-{name}", dependencies: [{", ".join(parts)}], path: "Sources/{name}")')
    # As Package.swift asks for them.
    others = [
        f'.package(url: "{url}", {version}),'
        for url, version in re.findall(r'\.package\(url: "([^"]+)", (from: "[^"]+")\)', (ROOT / "Package.swift").read_text())
        if url.rsplit("/", 1)[-1] in OTHERS.values()
    ]
    separator = ",\n        "
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sizes",
    dependencies: [
        .package(name: "busctl-rx", path: "{ROOT}", traits: ["Logging", "Metrics", "ServiceLifecycle"]),
        {" ".join(others)}
    ],
    targets: [
        {separator.join(targets)}
    ]
)
"""


def build(*arguments):
    """Builds for release, and returns the folder of the programs."""
    for more in ([], ["--show-bin-path"]):
        run = subprocess.run([SWIFT, "build", *arguments, *more], capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{run.stdout}{run.stderr}")
    return pathlib.Path(run.stdout.strip())


def stripped(program):
    target = FOLDER / "stripped"
    subprocess.run(["strip", "-o", target, program], check=True)
    return target.stat().st_size


def measure():
    programs = samples()
    for name, sample in programs.items():
        path = FOLDER / "Sources" / name / "main.swift"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sample)
    (FOLDER / "Package.swift").write_text(manifest(programs))
    folder = build("--package-path", str(FOLDER), "-c", "release", "--static-swift-stdlib")
    sizes = {f"<doc:/{name}>": stripped(folder / f"with-{name}") for name in programs}
    sizes["`Bridges`"] = sizes.pop("<doc:/Bridges>")
    sizes["nothing"] = sizes.pop("<doc:/Nothing>")
    options = subprocess.run([ROOT / "Scripts/release.sh"], capture_output=True, text=True, check=True).stdout.split()
    sizes["the command `busctl-rx`"] = stripped(build("--package-path", str(ROOT), *options) / "busctl-rx")
    return dict(sorted(sizes.items(), key=lambda item: item[1]))


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__)
    version = subprocess.run([SWIFT, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"Swift version (\d+\.\d+)", version)[1]
    sizes = measure()
    for name, size in sizes.items():
        print(f"{name:30} {size / 1e6:5.1f} MB")
    text = PAGE.read_text()
    begin = text.index("\n| ", text.index(HEADING)) + 1
    end = text.find("\n\n", begin) + 1 or len(text)
    old = re.search(r"with Swift (\d+\.\d+)", text[text.index(HEADING):])[1]
    if sys.argv[1:]:
        rows = "".join(f"| {name} | {size / 1e6:.1f} MB |\n" for name, size in sizes.items())
        text = f"{text[:begin]}| with | size |\n| --- | --- |\n{rows}{text[end:]}"
        PAGE.write_text(text.replace(f"with Swift {old}", f"with Swift {release}"))
        return
    if old != release:
        print(f"The table was written with Swift {old}, and this is Swift {release}: not compared.")
        return
    table = {name: float(size) * 1e6 for name, size in re.findall(r"^\| (.+) \| ([\d.]+) MB \|$", text[begin:end], re.M)}
    wrong = [name for name in sizes.keys() | table.keys() if name not in table or name not in sizes]
    wrong += [name for name, size in sizes.items() if name in table and abs(size - table[name]) > max(table[name] / 20, 1e5)]
    if wrong:
        sys.exit(f"not as the table says: {', '.join(sorted(wrong))}. If it is meant: Scripts/sizes.py --write")


main()
