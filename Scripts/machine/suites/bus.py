"""`tail --from dbus:system`: restarts of units, sessions, a machine that sleeps, and a bus that ends, against `busctl monitor`."""
import json
import shlex

UNIT = """[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sleep infinity
"""
SLOW_SLEEP = "[Login]\nInhibitDelayMaxSec=300\n"
# The wrapper leaves out one line.
FAULT = """#!/bin/sh
/usr/bin/busctl-rx "$@" | sed -u 100d
"""
FOUND = "messages, and busctl heard"
LOGIN = "org.freedesktop.login1"
MANAGER = "org.freedesktop.systemd1.Manager"
MARK = "org.example.Machine"
# What systemd-sleep says right before the machine sleeps.
SLEEP_START = "6bbd95ee977941e497c48be27c254128"
UNITS = 10


class Guest:
    def __init__(self, machine):
        self.machine, self.marks = machine, 0

    def need(self, text, *words):
        return self.machine.need("sh", "-ec", text, *map(str, words)).decode().strip()

    def hear(self, name, *words):
        """Begins to listen, and returns when everything is heard."""
        self.machine.need(
            "systemd-run", "--quiet", f"--unit={name}", "-p", "Type=notify", "-p", "NotifyAccess=all", "-p", "TimeoutStartSec=infinity",
            "-p", f"StandardOutput=truncate:/run/{name}.json", "-p", f"StandardError=truncate:/run/{name}.err", "-p", "RemainAfterExit=yes",
            "busctl-rx", "tail", "--from", "dbus:system", "-o", "json", *words,
        )

    def witness(self, *words):
        """Lets busctl listen."""
        self.machine.need(
            "systemd-run", "--quiet", "--unit=witness", "-p", "StandardOutput=truncate:/run/witness.json", "-p", "StandardError=journal",
            "busctl", "monitor", "--json=short", *words,
        )
        # It does not say when it hears.
        self.machine.until("busctl listens", lambda: self.send_mark() and self.lines("witness", MARK))

    def end(self, *names):
        self.machine.run("systemctl", "stop", *names)
        self.machine.run("systemctl", "reset-failed", *names)

    def lines(self, name, *texts, then="cat"):
        """The records that were heard with these texts."""
        steps = [f"cat /run/{name}.json", *(f"grep -F -- {shlex.quote(text)}" for text in texts), then]
        return [json.loads(line) for line in self.need(" | ".join(steps)).splitlines()]

    def send_mark(self):
        self.marks += 1
        word = f"mark-{self.marks}"
        self.machine.need("dbus-send", "--system", "--type=signal", "/mark", f"{MARK}.Mark", f"string:{word}")
        return word

    def mark(self, *names):
        """Sends a signal, and waits until it is heard."""
        word = self.send_mark()
        for name in names:
            self.machine.until(f"{name} hears {word}", lambda: self.lines(name, f'"{word}"'))
        return word


def restarts(guest, rounds, *choice):
    """Restarts units, and compares what was heard of it. `choice` are interfaces, or everything."""
    words = [" or ".join(f'interface == "{name}"' for name in choice)] if choice else []
    guest.hear("signals", *words)
    guest.hear("monitor", "--monitor", *words)
    guest.witness(*(f"--match=interface='{name}'" for name in choice))
    names = ["signals", "monitor", "witness"]
    first = guest.mark(*names)
    guest.need('for round in $(seq "$0"); do systemctl restart $(seq -f blink@%.0f.service "$1"); done', rounds, UNITS)
    # systemd tells the bus later than systemctl.
    told = lambda: guest.lines("witness", "JobRemoved", "blink@", then="wc -l")
    guest.machine.until("busctl hears of each restart", lambda: told() == [rounds * UNITS])
    last = guest.mark(*names)
    counts = {f"blink@{number}.service": rounds for number in range(1, UNITS + 1)}
    heard = {}
    for name, which in (("signals", "SIGNALS"), ("monitor", "BOTH")):
        words = [first, last, f"/run/{name}.json", "/run/witness.json", which]
        seen = json.loads(guest.need('python3 /payload/bus.py compare "$@"', "sh", *words))
        what = f"{name}, {rounds * UNITS} restarts, {' '.join(choice) or 'everything'}"
        if seen["difference"]:
            number, mine, its = seen["difference"]
            guest.machine.find(
                f"{what}: {seen['heard']} messages, and busctl heard {seen['busctl heard']}; "
                f"number {number} is {str(mine)[:400]}, not {str(its)[:400]}"
            )
        guest.machine.expect(f"{what}: jobs that were removed", counts, {unit: seen["removed"].get(unit, 0) for unit in counts})
        heard[name] = seen["heard"]
        if not choice and seen["members"].get("PropertiesChanged", 0) < rounds * UNITS:
            guest.machine.find(f"{what}: only {seen['members']}")
    guest.end(*names)
    guest.machine.say(
        f"{rounds * UNITS} restarts: {heard['signals']} signals, {heard['monitor']} messages ({' '.join(choice) or 'all'}), "
        "as busctl heard them"
    )


def sessions(guest):
    """Opens and closes sessions of logind."""
    guest.hear("sessions", f'sender == "{LOGIN}" or interface == "{MARK}"')
    guest.need("rm -f /run/ids; touch /run/ids; chmod 666 /run/ids")
    run = 'systemd-run --quiet -p PAMName=login -p User=member "$@" /bin/sh -c \'echo "$XDG_SESSION_ID" >>/run/ids; exec $0 infinity\''
    for _ in range(8):
        guest.need(run + " /bin/true", "sh", "--wait")
    for number in range(2):
        guest.need(run + " /bin/sleep", "sh", f"--unit=session-{number}")
    guest.machine.until("all sessions are open", lambda: len(guest.need("cat /run/ids").split()) == 10)
    ids = guest.need("cat /run/ids").split()
    guest.need('loginctl terminate-session "$@"', "sh", *ids[8:])
    guest.machine.until("they are closed", lambda: not set(ids) & set(guest.need("ls /run/systemd/sessions").split()))
    guest.mark("sessions")
    for member in ("SessionNew", "SessionRemoved"):
        heard = [record["fields"]["args"][0] for record in guest.lines("sessions", f'"{member}"')]
        guest.machine.expect(f"sessions of {member}", sorted(ids), sorted(heard))
    if len(set(ids)) != 10:
        guest.machine.find(f"the sessions that were opened are {ids}")
    guest.end("sessions")
    guest.machine.say(f"{len(ids)} sessions, 2 of them terminated by loginctl: each heard when it was opened and closed")


def sleep(guest):
    """Suspends the machine. A delay lock is held until PrepareForSleep was heard."""
    answer = guest.need(f"busctl --json=short call {LOGIN} /org/freedesktop/login1 {LOGIN}.Manager CanSuspend")
    if json.loads(answer)["data"] != ["yes"]:
        guest.machine.find(f"PrepareForSleep was not tried, because this machine cannot be suspended: {answer}")
        return
    guest.hear("sleep", 'member == "PrepareForSleep"')
    guest.machine.need(
        "systemd-run", "--quiet", "--unit=inhibitor", "-p", "RemainAfterExit=yes", "-p", "StandardOutput=truncate:/run/inhibitor.json",
        "systemd-inhibit", "--what=sleep", "--mode=delay", "busctl-rx", "tail", "--from", "dbus:system", "-o", "json",
        "--until-match", 'member == "PrepareForSleep"', f'member == "PrepareForSleep" or interface == "{MARK}"',
    )
    guest.machine.until("the lock is held, and the signal will be heard", lambda: guest.send_mark() and guest.lines("inhibitor", MARK))
    guest.machine.suspend(10, "busctl", "call", LOGIN, "/org/freedesktop/login1", f"{LOGIN}.Manager", "Suspend", "b", "false")
    guest.machine.until("the machine is awake again", lambda: len(guest.lines("sleep")) >= 2)
    guest.machine.expect("PrepareForSleep", [[True], [False]], [record["fields"]["args"] for record in guest.lines("sleep")])
    state = dict(line.split("=") for line in guest.need(
        "systemctl show inhibitor -p SubState -p ExecMainStatus -p ExecMainExitTimestampMonotonic"
    ).split())
    left = int(state.pop("ExecMainExitTimestampMonotonic"))
    guest.machine.expect("the inhibitor's state", {"SubState": "exited", "ExecMainStatus": "0"}, state)
    # The last word of systemd-sleep before the machine sleeps.
    slept = int(json.loads(guest.need(f"journalctl -o json -n 1 MESSAGE_ID={SLEEP_START}"))["__MONOTONIC_TIMESTAMP"])
    if not 0 < left <= slept:
        guest.machine.find(f"the lock was released at {left}, and the machine slept at {slept}")
    guest.end("sleep", "inhibitor")
    guest.machine.say("the machine was suspended and woken: PrepareForSleep heard before and after, under a delay lock")


def broken(guest, how):
    """Ends the bus under those who listen."""
    listeners = {"plain": [], "plain-monitor": ["--monitor"], "again": ["--reconnect"], "again-monitor": ["--reconnect", "--monitor"]}
    for name, words in listeners.items():
        guest.hear(name, *words)
    guest.mark(*listeners)
    before = guest.need("systemctl show dbus --value -p MainPID")
    guest.machine.need("systemctl", *how, "dbus.service")
    guest.machine.until("the bus is another", lambda: guest.need("systemctl show dbus --value -p MainPID") not in (before, "0"))
    for name in ("plain", "plain-monitor"):
        guest.machine.until(f"{name} ends", lambda: guest.need('systemctl show "$0" --value -p SubState', name) == "failed")
        guest.machine.expect(f"the status of {name} after {' '.join(how)}", "3", guest.need('systemctl show "$0" --value -p ExecMainStatus', name))
    guest.machine.need("systemctl", "restart", "blink@1.service")
    for name in ("again", "again-monitor"):
        guest.machine.until(f"{name} hears of a lost connection", lambda: guest.lines(name, '"gap":true'))
    guest.mark("again", "again-monitor")

    def is_heard():
        guest.machine.need("systemctl", "restart", "blink@2.service")
        return all(guest.lines(name, "JobRemoved", "blink@2.service") for name in ("again", "again-monitor"))

    guest.machine.until("units are heard over the new bus", is_heard)
    for name in listeners:
        if "bus" not in (text := guest.need(f"cat /run/{name}.err")):
            guest.machine.find(f"after {' '.join(how)} {name} says nothing of the bus that it lost: {text!r}")
    guest.end(*listeners)
    guest.machine.say(f"{' '.join(how)} of dbus: two listeners ended with a word, two heard on over the new bus")


def run(machine, fault):
    guest = Guest(machine)
    files = {
        "/etc/systemd/system/blink@.service": UNIT,
        "/etc/systemd/logind.conf.d/sleep.conf": SLOW_SLEEP,
    }
    if fault:
        files["/usr/local/bin/busctl-rx"] = FAULT
    machine.write(files)
    guest.need("systemctl daemon-reload; systemctl restart systemd-logind")
    restarts(guest, 10 if fault else machine.sizes.broad_rounds)
    if fault:
        return
    restarts(guest, machine.sizes.rounds, MANAGER, MARK)
    sessions(guest)
    sleep(guest)
    for how in (["restart"], ["kill", "--signal=KILL"]):
        broken(guest, how)
