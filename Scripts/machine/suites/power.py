"""Power cuts under load: `tail` and journalctl of the lost boot."""
import json
import time

from machine import Failure, wait

# The wrapper leaves out the part of an entry that has its number: a value of the entry has an empty line.
FAULT = r"""#!/bin/sh
/usr/bin/busctl-rx "$@" >/run/shown
status=$?
awk 'BEGIN { RS = ""; ORS = "\n\n" } !/\nNUMBER=7\n/' /run/shown
exit $status
"""
FOUND = "1 numbers are not shown, as 7"


def load(machine, name, cut):
    """Writes until the power goes. Returns the boot, the number of the last entry that journald had synced, and the entries in a second."""
    # Parts of what was not synced reach the disk by themselves, or nothing of it does.
    age = 20 if cut % 2 else 3000
    machine.need("sysctl", "-q", "-w", f"vm.dirty_writeback_centisecs={age}", f"vm.dirty_expire_centisecs={age}")
    boot = machine.need("cat", "/proc/sys/kernel/random/boot_id").decode().strip().replace("-", "")
    machine.need(
        "systemd-run", "-q", f"--unit={name}", "python3", "/payload/numbered.py", name, "1000000", "4000", "/run/place", "--sync", "800"
    )
    begun = time.monotonic()
    if cut % 4 == 3:
        machine.need("journalctl", "--rotate")

    def place():
        numbers = machine.run("cat", "/run/place")[1].split()
        return tuple(map(int, numbers)) if len(numbers) == 2 else (0, 0)

    # Some cuts come soon after journald has synced, others late, and all after more than its interval.
    is_late = lambda seen: 0 < seen[1] <= seen[0] - 100 - 150 * (cut % 4) and time.monotonic() > begun + 2
    sent, synced = wait(place, is_late)
    if not is_late((sent, synced)):
        raise Failure(f"{name}: {sent} entries sent and {synced} synced, and no more")
    machine.cut()
    return boot, synced, sent / (time.monotonic() - begun)


def run(machine, fault):
    if fault:
        machine.write({"/usr/local/bin/busctl-rx": FAULT})
    machine.need(
        "sh", "-ec",
        """
        printf '[Journal]\\nSyncIntervalSec=1s\\n' >/etc/systemd/journald.conf.d/power.conf
        systemctl restart systemd-journald
        journalctl --sync
        sync
        """,
    )
    rates, totals = [], {}
    for cut in range(2 if fault else machine.sizes.cuts):
        name = f"power-{cut}"
        boot, synced, rate = load(machine, name, cut)
        machine.start()
        seen = json.loads(machine.need("python3", "/payload/power.py", name, boot, str(synced)))
        for text in seen.pop("findings"):
            machine.find(f"{name}: {text}")
        if seen["shown"] == 0 or synced == 0 or seen["files"] == 0:
            machine.find(f"{name}: nothing to compare: {synced} synced, {seen}")
        rates.append(rate)
        for key, value in {**seen, "synced": synced}.items():
            totals[key] = totals.get(key, 0) + value
    machine.say(
        f"{len(rates)} cuts, each at {min(rates):.0f} to {max(rates):.0f} entries a second; {totals['files']} files that were not closed; "
        f"{totals['shown']} entries of the writers shown, {totals['unsynced']} of them not synced; "
        f"{totals['more']} that journalctl does not show; "
        f"{totals['said']} said to be missing, {totals['empty']} of which journalctl shows the head; "
        f"{totals['torn']} without some of their fields; "
        f"of {totals['synced']} that were synced, {totals['missing']} are shown by neither"
    )
