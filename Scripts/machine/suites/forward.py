"""`forward` as a unit, over reboots, power cuts and kills, into a nats-server that is killed and full: every entry once."""
import json
import re

from machine import INNER_PATIENCE

SERVER = """[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=/usr/sbin/nats-server -c /etc/nats-store.conf
Restart=always
[Install]
WantedBy=multi-user.target
"""
CONFIGURATION = """host: 127.0.0.1
port: 4222
# A client that is slow because the machine is keeps its connection.
write_deadline: "10m"
jetstream { store_dir: /var/lib/nats%s }
"""
FORWARDER = """[Unit]
StartLimitIntervalSec=0
[Service]
Type=notify
TimeoutStartSec=infinity
DynamicUser=yes
SupplementaryGroups=systemd-journal
StateDirectory=forward
ExecStart=busctl-rx forward --to nats://127.0.0.1:4222 --subject journal.machine --cursor-file %S/forward/cursor
Restart=always
[Install]
WantedBy=multi-user.target
"""
# The wrapper leaves out one entry.
FAULT = """#!/bin/sh
exec /usr/bin/busctl-rx "$@" 'not (has(NUMBER) && message == "kills 30")'
"""
FOUND = "1 entries of the journal are not in the stream"
LARGE = 1 << 30


class Guest:
    def __init__(self, machine):
        self.machine = machine

    def ask(self, *words):
        return self.machine.need("python3", "/payload/forward.py", *map(str, words))

    def state(self, number=0):
        return json.loads(self.ask("state", number))

    def await_server(self):
        self.machine.until("the server answers", lambda: self.machine.run("python3", "/payload/forward.py", "state", "0")[0] == 0)

    def write(self, name, count, per_second=50):
        """Begins to write to the journal."""
        self.machine.need(
            "systemd-run", "--quiet", f"--unit=writer-{name}", "--collect",
            "python3", "/payload/forward.py", "write", name, str(count), str(per_second),
        )

    def is_writing(self, name):
        return self.machine.run("systemctl", "is-active", "--quiet", f"writer-{name}")[0] == 0

    def lines(self):
        """What forwarders have said."""
        return self.machine.need("sh", "-ec", "journalctl --sync; journalctl -u forward -t busctl-rx -o cat").decode().splitlines()

    def said(self, place, text):
        """The lines behind a number of lines that have a text."""
        return [line for line in self.lines()[place:] if text in line]

    def shown(self, property, unit="forward"):
        return self.machine.need("systemctl", "show", unit, "--value", "-p", property).decode().strip()


def first_boot(guest, fault):
    """The forwarder before the server, kills of both, and a stream without room."""
    machine = guest.machine
    place = len(guest.lines())
    machine.need("systemctl", "start", "--no-block", "forward")
    guest.machine.until("the forwarder says that there is no server", lambda: guest.said(place, "waiting for it"))
    guest.machine.expect("the state of the unit before there is a server", "activating", guest.shown("ActiveState"))
    machine.need("systemctl", "start", "nats")
    guest.machine.until("the server answers", lambda: machine.run("python3", "/payload/forward.py", "stream", str(LARGE))[0] == 0)
    guest.machine.until("the forwarder is ready", lambda: guest.shown("ActiveState") == "active")

    kills = ["forward", "nats"] * (1 if fault else machine.sizes.kills // 2)
    guest.write("kills", 10_000, 10)
    for unit in kills:
        before = guest.state()["last_seq"]
        guest.machine.until("the stream has more", lambda: guest.state()["last_seq"] > before + 20)
        machine.need("systemctl", "kill", "-s", "KILL", "--kill-who=main", unit)
        guest.machine.until("the forwarder is ready again", lambda: guest.shown("ActiveState") == "active")
        guest.await_server()
    machine.need("systemctl", "stop", "writer-kills")
    judge(guest, "after the kills", 30 if fault else INNER_PATIENCE)
    if fault:
        return len(kills)

    process, restarts, place = guest.shown("MainPID"), guest.shown("NRestarts"), len(guest.lines())
    machine.need("systemctl", "stop", "nats")
    guest.write("outage", 40, 10)
    guest.machine.until("the outage is over", lambda: not guest.is_writing("outage"))
    guest.machine.until("the forwarder says that the server is gone", lambda: guest.said(place, "waiting for it"))
    guest.machine.expect("lines about a server that was stopped", 1, len(guest.said(place, "waiting for it")))
    machine.need("systemctl", "start", "nats")
    guest.await_server()
    judge(guest, "after the server was stopped")

    place, stored = len(guest.lines()), guest.state()
    guest.ask("stream", stored["bytes"] + 20_000)
    guest.write("full", 100)
    line = guest.machine.until("the forwarder says that the stream is full", lambda: guest.said(place, "maximum bytes exceeded; waiting for it"))
    guest.machine.until("all is written", lambda: not guest.is_writing("full"))
    guest.machine.expect("lines about a stream that is full", 1, len(guest.said(place, "maximum bytes exceeded; waiting for it")))
    if (more := guest.state()["messages"] - stored["messages"]) >= 100:
        guest.machine.find(f"{more} messages are in the stream that was full, and it said {line}")
    guest.ask("stream", LARGE)
    judge(guest, "after the stream was full")
    seen = guest.shown("MainPID"), guest.shown("NRestarts")
    guest.machine.expect("the process, and restarts of the unit, after the stream was full", (process, restarts), seen)
    return len(kills)


def cut(guest, name):
    """Takes the power away while entries are written and forwarded, and boots."""
    # Each message is on the disk before it is acknowledged, also where nats-server has no option for it.
    guest.machine.need("chattr", "-R", "+S", "/var/lib/nats")
    begun = guest.state()["last_seq"]
    guest.write(name, 10_000, 10)
    guest.machine.until("entries are stored", lambda: guest.state()["last_seq"] > begun + 40)
    guest.machine.need("journalctl", "--sync")
    guest.machine.until("more entries are stored", lambda: guest.state()["last_seq"] > begun + 80)
    before = guest.state()
    guest.machine.cut()
    guest.machine.start()
    guest.await_server()
    after = guest.state(before["last_seq"])
    guest.machine.expect(f"message {before['last_seq']}, which the server had acknowledged before the power cut", before["id"], after["id"])
    guest.machine.need("chattr", "-R", "-S", "/var/lib/nats")
    guest.machine.until("the forwarder is ready", lambda: guest.shown("ActiveState") == "active")
    guest.write(f"after-{name}", 100)
    guest.machine.until("all is written", lambda: not guest.is_writing(f"after-{name}"))


def judge(guest, when, patience=INNER_PATIENCE):
    """Compares what the stream has with the journal."""
    seen = json.loads(guest.ask("check", patience))
    if seen["missing"]:
        some = [(entry["_BOOT_ID"], entry["__CURSOR"], entry.get("MESSAGE")) for entry in seen["missing"][:5]]
        guest.machine.find(f"{when}: {len(seen['missing'])} entries of the journal are not in the stream: {some}")
    for name in ("twice", "wrong id", "different"):
        if seen[name]:
            guest.machine.find(f"{when}: {len(seen[name])} {name}: {str(seen[name][:3])[:2000]}")
    guest.machine.expect(f"{when}: messages that the stream counts, and its last number", [seen["messages"], seen["last"]], seen["counted"])
    guest.machine.expect(f"{when}: `tail --from nats:` has the cursors that were read from the stream, and says", [True, ""], seen["tail"])
    return seen


def configuration(machine):
    """nats-server 2.10 and later know how to have a message on the disk before they acknowledge it."""
    version = machine.need("nats-server", "--version").decode()
    is_able = tuple(int(part) for part in re.search(r"v(\d+)\.(\d+)", version).groups()) >= (2, 10)
    return CONFIGURATION % (", sync_interval: always" if is_able else "")


def run(machine, fault):
    guest = Guest(machine)
    files = {
        "/etc/systemd/system/nats.service": SERVER,
        "/etc/systemd/system/forward.service": FORWARDER,
        "/etc/nats-store.conf": configuration(machine),
    }
    if fault:
        files["/usr/local/bin/busctl-rx"] = FAULT
    machine.write(files)
    machine.need("sh", "-ec", "mkdir /var/lib/nats; systemctl enable nats forward")
    kills = first_boot(guest, fault)
    if fault:
        return
    guest.write("reboot", 10_000, 10)
    machine.restart()
    guest.machine.until("the forwarder is ready", lambda: guest.shown("ActiveState") == "active")
    judge(guest, "after a reboot")
    cuts = machine.sizes.forward_cuts
    for number in range(cuts):
        cut(guest, f"cut-{number}")
        seen = judge(guest, f"after power cut {number + 1}")
    boots = list(seen["entries"].values())
    if len(boots) < 2 + cuts or min(boots) < 100:
        guest.machine.find(f"too few entries to say anything: {boots} in {len(boots)} boots")
    # Of a boot that ended with a power cut, the journal may have lost entries that were forwarded.
    lost = seen["not in the journal"]
    last = machine.need("cat", "/proc/sys/kernel/random/boot_id").decode().strip().replace("-", "")
    orderly = [list(seen["entries"])[0], last]
    for boot in orderly:
        if boot in lost:
            guest.machine.find(f"{lost[boot]} messages are of no entry of boot {boot}, which did not end with a power cut")
    machine.say(
        f"{sum(boots)} entries of {len(boots)} boots, {kills} kills, {cuts} power cuts: {seen['messages']} messages, each once; "
        f"{sum(lost.values())} of them the journal lost with the power"
    )
