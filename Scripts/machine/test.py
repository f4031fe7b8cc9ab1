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
import shutil
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True

import page
from machine import HERE, TREE, Failure, Machine, root
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
    if "ship" in names:
        shutil.copytree(TREE / "Examples/Forward", folder / "Forward")
    if "daemon" in names:
        (folder / "unitwatch").mkdir()
        for path in (*(TREE / "Examples/Daemon").glob("unitwatch.*"), TREE / ".build/release/unitwatch"):
            shutil.copy(path, folder / "unitwatch")
        shutil.copy(TREE / ".build/release/systemd-probe", folder)


VERSIONS = '. /etc/os-release; echo "$PRETTY_NAME"; systemctl --version | head -n 1; uname -r; busctl-rx --version'


def attempt(name, suite, files, fault, full):
    """Runs one suite of tests on a machine. Returns the versions of what runs there, its findings, what is said of it, and its seconds."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        machine, system = Machine(suite, files, work), []
        try:
            boot = machine.start()
            machine.sizes = FULL if full or machine.accelerator == "kvm" else SMALL
            machine.say(f"booted in {boot:.0f} s, {machine.sizes.name} size")
            machine.need("apt-get", "install", "-y", "/payload/busctl-rx.deb")
            system = machine.need("sh", "-ec", VERSIONS).decode().splitlines()
            importlib.import_module(f"suites.{name}").run(machine, fault)
        except Exception as failure:
            text = str(failure) if isinstance(failure, (Failure, OSError)) else traceback.format_exc()
            # A planted fault has to be found by what is compared.
            (machine.say if fault else machine.find)(text)
        finally:
            if machine.found and not fault:
                machine.say("console:\n" + machine.console())
            machine.cut()
        return system, machine.found, machine.said, time.monotonic() - begun


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
            begun = time.monotonic()
            root(arguments.suite)
            print(f"== {arguments.suite}: root after {time.monotonic() - begun:.0f} s")
        except (Failure, OSError) as failure:
            sys.exit(f"FAILED: {failure}")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [name for name in NAMES if name in arguments.only]
            runs = {pool.submit(attempt, name, arguments.suite, files, arguments.faults, arguments.full): name for name in names}
            for run in concurrent.futures.as_completed(runs):
                name = runs[run]
                try:
                    system, found, said, seconds = run.result()
                except Exception as failure:
                    # Its machine could not be made. The others have their reports.
                    failed = True
                    print(f"FAILED: {name}: {failure}")
                    continue
                bad = not found if arguments.faults else bool(found)
                failed |= bad
                results.append((name, said))
                print(f"{'FAILED' if bad else 'ok'}: {name} in {seconds:.0f} s, on {', '.join(system)}")
                for line in said + (["found: " + line for line in found] if found else ["found nothing"] * arguments.faults):
                    print("    " + line)
    print(f"== {arguments.suite}: {time.monotonic() - begun:.0f} s in all")
    if arguments.page and not arguments.faults and not failed:
        page.write(arguments.suite, system, sorted(results))
    sys.exit(failed)


main()
