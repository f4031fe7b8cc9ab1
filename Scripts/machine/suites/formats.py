"""Journal files in each form that this machine's systemd-journal-remote writes, and the journals of other machines."""
import json

from machine import KEPT

# The wrapper leaves out a value.
FAULT = """#!/bin/sh
case " $* " in *" SIZE=20000 "*) /usr/bin/busctl-rx "$@" | sed 0,/^MESSAGE=/{/^MESSAGE=/d} ;; *) exec /usr/bin/busctl-rx "$@" ;; esac
"""
FOUND = "SIZE=20000"


def run(machine, fault):
    if fault:
        machine.write({"/usr/local/bin/busctl-rx": FAULT})
    lines = machine.need("python3", "/payload/formats.py").decode().splitlines()
    *differences, total = map(json.loads, lines)
    forms = total["forms"]
    machine.say(f"{total['comparisons']} comparisons of {total['files']} files; forms: {', '.join(sorted(forms))}")
    for line in differences:
        machine.find(f"{line['form']}: {line['options'] or 'no options'}: {line['difference']}")
    for flag in ("KEYED-HASH", "COMPACT", "COMPRESSED"):
        for is_there in (True, False):
            # Versions before 254 write no file without compression.
            if not any((flag in form) == is_there for form in forms) and (flag, is_there) != ("COMPRESSED", False):
                machine.find(f"no file {'with' if is_there else 'without'} {flag} was written")
    # Of the files without trusted fields two have something to compare, of the others all six.
    for name, count in total["others"].items():
        machine.say(f"the journal of {name}: {count} entries compared")
        if count == 0:
            machine.find(f"the journal of {name} has nothing to compare")
    kept = KEPT / f"{machine.suite}.journals.tar.gz"
    new = kept.with_suffix(".new")
    new.write_bytes(machine.need("sh", "-ec", "journalctl --rotate; logger -t formats after the rotation; journalctl --sync; cd /var/log/journal; tar c * | gzip"))
    new.rename(kept)
    if total["comparisons"] < total["files"] * 4:
        machine.find(f"only {total['comparisons']} comparisons had entries")
