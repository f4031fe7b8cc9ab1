#!/usr/bin/env python3
"""Tries the Debian package of this tree on machines with systemd as their first process. Needs root, qemu and mmdebstrap.

usage: Scripts/machine/test.py [SUITE] [--only NAME]

SUITE is a suite of Debian: bookworm, trixie or sid. MIRROR says where its packages are taken from, if not from Debian's own.
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile
import time

from machine import HERE, Failure, Machine


def prepare(machine):
    """Three boots, with what a comparison is to meet."""
    for boot in range(3):
        machine.need(
            "sh", "-ec",
            """
            systemctl start greeter@one greeter@two
            systemctl start greeter@one
            logger -p user.err "an error of boot $0"
            logger -t several "$(printf 'two\\nlines')"
            systemd-run --quiet --wait --user --machine=member@ /bin/echo hello from a user || true
            sh -c 'kill -SEGV $$' || true
            for try in $(seq 50); do coredumpctl list >/dev/null 2>&1 && break; sleep 0.2; done
            journalctl --sync
            """,
            str(boot),
        )
        if boot < 2:
            print(f"    booted again in {machine.restart():.0f} s")


def compare(machine):
    prepare(machine)
    lines = machine.need("python3", "/payload/compare.py", "root", "member", "stranger", timeout=900).decode().splitlines()
    *differences, total = map(json.loads, lines)
    print(f"    {total['sets']} sets of options; with output of both: {total['full']}; differences with a reason: {total['allowed']}")
    found = [f"{', '.join(line['users'])}: {line['options'] or 'no options'}: {line['difference']}" for line in differences]
    # A comparison of nothing with nothing says nothing.
    for user, least in (("root", 90), ("member", 90), ("stranger", 1)):
        if total["full"][user] < least:
            found.append(f"only {total['full'][user]} comparisons as {user} had output of both")
    return found


SUITES = {"compare": compare}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("suite", nargs="?", default="bookworm")
    parser.add_argument("--only", choices=SUITES)
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    packages = list((HERE.parent.parent / ".build/deb").glob("*.deb"))
    if len(packages) != 1:
        sys.exit("There is no package in .build/deb. Make one with `make deb`.")
    failed, machine = False, None
    with tempfile.TemporaryDirectory() as work:
        payload = pathlib.Path(work, "payload")
        payload.mkdir()
        for path in [*HERE.glob("*.py"), packages[0]]:
            shutil.copy(path, payload)
        try:
            begun = time.monotonic()
            machine = Machine(arguments.suite, payload, work)
            print(f"== {arguments.suite}: root after {time.monotonic() - begun:.0f} s")
            print(f"    booted in {machine.start():.0f} s")
            machine.need("apt-get", "install", "-y", f"/payload/{packages[0].name}")
            print("    " + machine.need("busctl-rx", "--version").decode().strip())
            print("    " + machine.need("systemctl", "--version").decode().splitlines()[0])
            for name, suite in SUITES.items():
                if arguments.only in (None, name):
                    begun = time.monotonic()
                    found = suite(machine)
                    print(f"{'FAILED' if found else 'ok'}: {name}, {time.monotonic() - begun:.0f} s")
                    for line in found:
                        print("    " + line)
                    failed |= bool(found)
        except Failure as failure:
            failed = True
            print(f"FAILED: {failure}" + (f"\n== console\n{machine.console()}" if machine and machine.process else ""))
        finally:
            if machine:
                machine.cut()
    sys.exit(failed)


main()
