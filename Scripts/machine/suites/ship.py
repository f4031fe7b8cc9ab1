"""The unit of Examples/Forward as its comment installs it, to an OpenTelemetry receiver: outages, kills of both, a reboot, every entry."""
import json

from machine import INNER_PATIENCE, TREE

UNIT = "busctl-rx-forward"
IDS = "/var/lib/collector/ids"
RECEIVER = """[Unit]
StartLimitIntervalSec=0
[Service]
StateDirectory=collector
ExecStart=/usr/bin/python3 /payload/collector.py serve {} {}
Restart=always
[Install]
WantedBy=multi-user.target
"""
# A sandbox that is too narrow, or a right that is missing, leaves such words in the journal.
FLAWS = ("SIGSYS", "seccomp", "Operation not permitted", "Permission denied", "thread priority")

FOUND = "entries of the journal were not received"

def shown(machine, property):
    return machine.need("systemctl", "show", UNIT, "--value", "-p", property).decode().strip()


def said(machine):
    return machine.need("sh", "-ec", f"journalctl --sync; journalctl -u {UNIT} -o cat").decode()


def write(machine, count):
    """Writes to the journal, ten entries a second, while other things happen."""
    text = 'for number in $(seq "$0"); do echo "entry $number"; sleep 0.1; done | systemd-cat -t writer'
    machine.need("systemd-run", "--quiet", "--collect", "--unit=writer", "sh", "-c", text, str(count))


def is_writing(machine):
    return machine.run("systemctl", "is-active", "--quiet", "writer")[0] == 0


def stored(machine):
    return int(machine.need("sh", "-c", f"cat {IDS} 2>/dev/null | wc -l"))


def judge(machine, when, patience=INNER_PATIENCE):
    seen = json.loads(machine.need("python3", "/payload/collector.py", "check", IDS, str(patience)))
    if seen["missing"]:
        machine.find(f"{when}: {len(seen['missing'])} entries of the journal were not received: {seen['missing'][:3]}")
    return seen


def run(machine, fault):
    machine.write({"/etc/systemd/system/collector.service": RECEIVER.format(IDS, "30" if fault else "")})
    machine.need("systemctl", "enable", "--now", "collector")
    # The commands that the unit's comment gives.
    lines = (TREE / "Examples/Forward/busctl-rx-forward.service").read_text().splitlines()
    for line in [line.removeprefix("#   ") for line in lines if line.startswith("#   ")]:
        machine.need("sh", "-ec", f"cd /payload/Forward; {line}")
    machine.expect("the unit's state after its installation", "active", shown(machine, "ActiveState"))
    if fault:
        machine.until("there are records", lambda: stored(machine) > 100)
        judge(machine, "with one record that is left out", 60)
        return

    write(machine, 100_000)
    kills = 0
    for unit in [UNIT, "collector"] * (machine.sizes.kills // 2):
        before = stored(machine)
        machine.until("more is received", lambda: stored(machine) > before + 20)
        machine.need("systemctl", "kill", "-s", "KILL", "--kill-who=main", unit)
        kills += 1
    machine.until("the unit is ready again", lambda: shown(machine, "ActiveState") == "active")

    restarts = shown(machine, "NRestarts")
    machine.need("systemctl", "stop", "collector")
    machine.until("it says that nothing answers", lambda: "waiting for it" in said(machine))
    machine.need("systemctl", "start", "collector")
    before = stored(machine)
    machine.until("more is received after the outage", lambda: stored(machine) > before + 20)
    machine.expect("restarts by the outage", restarts, shown(machine, "NRestarts"))
    status = shown(machine, "StatusText")
    if not status:
        machine.find("it tells systemd no status")

    machine.restart()
    machine.until("the unit is ready after the reboot", lambda: shown(machine, "ActiveState") == "active")
    write(machine, 50)
    machine.until("all is written", lambda: not is_writing(machine))
    seen = judge(machine, "in the end")
    if seen["boots"] < 2 or seen["entries"] < 500:
        machine.find(f"too few entries to say anything: {seen['entries']} of {seen['boots']} boots")
    for line in said(machine).splitlines():
        if any(flaw in line for flaw in FLAWS):
            machine.find(f"the unit says: {line}")
    dumps = machine.need("sh", "-c", "journalctl -q -o cat COREDUMP_COMM=busctl-rx").decode()
    machine.expect("core dumps of the program", "", dumps)
    machine.say(
        f"{seen['entries']} entries of {seen['boots']} boots received, {seen['twice']} twice, over {kills} kills, an outage and a reboot; "
        f"status: {status}"
    )
