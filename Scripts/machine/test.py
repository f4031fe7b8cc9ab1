#!/usr/bin/env python3
"""Tries the Debian package of this tree on machines with systemd as their first process. Needs root, qemu and mmdebstrap.

usage: Scripts/machine/test.py [SUITE] [--only NAME ...] [--full] [--faults] [--page]

SUITE is a suite of Debian: bookworm, trixie or sid. MIRROR says where its packages are taken from, if not from Debian's own.
Each of the suites of tests has a machine of its own, and two run at once. With KVM or --full they have their full size, else a smaller one.
"""
import argparse
import concurrent.futures
import importlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True

import page
from machine import HERE, KEPT, TREE, Failure, Machine, root
from sizes import FULL, SMALL

# The longest first.
NAMES = [path.stem for path in sorted((HERE / "suites").glob("*.py"), key=lambda path: (path.stem != "power", path.stem))]


def payload(folder, names):
    """What the machines see at /payload."""
    packages = list((TREE / ".build/deb").glob("*.deb"))
    if len(packages) != 1:
        raise Failure("There is no package in .build/deb. Make one with `make deb`.")
    for path in (HERE / "guest").glob("*.py"):
        shutil.copy(path, folder)
    shutil.copy(packages[0], folder / "busctl-rx.deb")
    if "formats" in names:
        for path in KEPT.glob("*.journals.tar.gz"):
            shutil.copy(path, folder)
    if "ship" in names:
        shutil.copytree(TREE / "Examples/Forward", folder / "Forward")
    if "daemon" in names:
        (folder / "unitwatch").mkdir()
        for path in (*(TREE / "Examples/Daemon").glob("unitwatch.*"), TREE / ".build/release/unitwatch"):
            shutil.copy(path, folder / "unitwatch")
        shutil.copy(TREE / ".build/release/systemd-probe", folder)


def git(*arguments):
    return subprocess.run(["git", "-C", TREE, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def vouch():
    """Refuses a page about a package that was not made of this commit. The page itself may have changed."""
    if changed := git("status", "--porcelain", "--", ".", f":!{page.PAGE.relative_to(TREE)}"):
        raise Failure(f"--page needs a tree without changes:\n{changed}")
    package = next((TREE / ".build/deb").glob("*.deb")).name
    commit, head = re.search(r"\.([0-9a-f]{7,40})-[^-]+$", package), git("rev-parse", "HEAD")
    if commit is None and not git("tag", "--points-at", "HEAD"):
        raise Failure(f"--page needs a package of the commit {head[:8]}, and {package} names none. Make one with `make deb`.")
    if commit and not head.startswith(commit[1]):
        raise Failure(f"--page needs a package of the commit {head[:8]}, and this is {package}. Make one with `make deb`.")


VERSIONS = '. /etc/os-release; echo "$PRETTY_NAME"; systemctl --version | head -n 1; uname -r; busctl-rx --version'


def attempt(name, suite, files, fault, full):
    """Runs one suite of tests on a machine. Returns its versions, its size, its findings, what is said of it, and its seconds."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        machine, system, size = None, [], "no size"
        try:
            machine = Machine(suite, files, work)
            boot = machine.start()
            machine.sizes = FULL if full or machine.accelerator == "kvm" else SMALL
            size = f"{machine.sizes.name} size, booted in {boot:.0f} s"
            machine.need("apt-get", "install", "-y", "/payload/busctl-rx.deb")
            system = machine.need("sh", "-ec", VERSIONS).decode().splitlines()
            importlib.import_module(f"suites.{name}").run(machine, fault)
        except Exception as failure:
            text = str(failure) if isinstance(failure, (Failure, OSError)) else traceback.format_exc()
            if machine is None:
                return system, size, [] if fault else [text], [text] if fault else [], time.monotonic() - begun
            # A planted fault has to be found by what is compared.
            (machine.say if fault else machine.find)(f"{text}\nconsole:\n{machine.console()}")
        else:
            if machine.found and not fault:
                machine.find(f"console:\n{machine.console()}")
        finally:
            if machine:
                machine.cut()
        return system, size, machine.found, machine.said, time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description="Tries the Debian package on machines with systemd as their first process.")
    parser.add_argument("suite", nargs="?", default="bookworm", help="a suite of Debian")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--full", action="store_true", help="take the full size also where a machine is emulated")
    parser.add_argument("--faults", action="store_true", help="plant a fault into each suite of tests, which has to find it")
    parser.add_argument("--page", action="store_true", help='write what was run into the page "Tested on"')
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    failed, results = False, []
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        try:
            payload(files, arguments.only)
            if arguments.page:
                vouch()
            begun = time.monotonic()
            root(arguments.suite)
            print(f"== {arguments.suite}: root after {time.monotonic() - begun:.0f} s")
        except (Failure, OSError) as failure:
            sys.exit(f"FAILED: {failure}")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [name for name in NAMES if name in arguments.only]
            runs = {pool.submit(attempt, name, arguments.suite, files, arguments.faults, arguments.full): name for name in names}
            for run in concurrent.futures.as_completed(runs):
                name, (system, size, found, said, seconds) = runs[run], run.result()
                # Another finding than that of the fault would be of a suite that does not look.
                wanted = importlib.import_module(f"suites.{name}").FOUND
                bad = not any(re.search(wanted, line) for line in found) if arguments.faults else bool(found)
                failed |= bad
                results.append((name, said))
                print(f"{'FAILED' if bad else 'ok'}: {name} in {seconds:.0f} s, {size}, on {', '.join(system) or 'no machine'}")
                for line in said + (["found: " + line for line in found] if found else ["found nothing"] * arguments.faults):
                    print("    " + line)
    print(f"== {arguments.suite}: {time.monotonic() - begun:.0f} s in all")
    if arguments.page and not arguments.faults and not failed:
        page.write(arguments.suite, system, size.split(",")[0], sorted(results))
    sys.exit(failed)


main()
