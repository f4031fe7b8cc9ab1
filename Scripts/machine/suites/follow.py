"""`tail` following through rotation, vacuum, restarts and kills of journald, in namespaces, from /run to /var, and with a full disk."""
import json
import time

# The most entries in a second. An emulated machine writes a hundred or two.
RATE = 2000
# The wrapper leaves out one entry.
FAULT = r"""#!/bin/sh
/usr/bin/busctl-rx "$@" | mawk -W interactive '!/^NUMBER=77$|entry 77 of /'
"""
FOUND = "1 entries are missing"
ALL = ("-o", "export", "--output-fields=NUMBER,SYSLOG_IDENTIFIER")

# What happens while it follows. What is going to be deleted is kept beside the journal.
KEEP = "for file in $folder/*@*; do test ! -e $file || test -e /var/kept/${file##*/} || cp $file /var/kept; done; "
# journald that was killed has to be back for it.
ROTATE = "until journalctl $journal --rotate; do sleep 1; done"
VACUUM_FILES = KEEP + "journalctl $journal -q --vacuum-files=2"
VACUUM_SIZE = ROTATE + "; " + KEEP + "journalctl $journal -q --vacuum-size=1M"
RESTART = "systemctl restart $journald"
KILL = "systemctl kill -s KILL $journald"
EVENTS = [ROTATE, VACUUM_FILES, RESTART, KILL, ROTATE, KILL, VACUUM_SIZE, RESTART, ROTATE, VACUUM_SIZE]
STOP, CONTINUE = "systemctl kill -s STOP all filter", "systemctl kill -s CONT all filter"

CONFIGURATION = """[Journal]
Storage=persistent
RateLimitIntervalSec=0
SystemMaxUse=1500M
SystemKeepFree=1M
SystemMaxFiles=1000
SystemMaxFileSize=4M
"""
EARLY = """[Unit]
DefaultDependencies=no
RequiresMountsFor=/var/log/journal
After=systemd-journald.service systemd-remount-fs.service
Before=systemd-journal-flush.service
[Service]
"""
EARLY_FOLLOWER = EARLY + """Type=notify
NotifyAccess=all
StandardOutput=file:/run/early.out
StandardError=file:/run/early.err
ExecStart=/usr/bin/env busctl-rx tail -n all -o cat
"""
# The flush waits until something has been written.
EARLY_WRITER = EARLY.replace("[Service]", "After=early.service\nRequires=early.service\n[Service]") + """
ExecStart=/usr/bin/python3 /var/lib/numbered.py flush 2000 400 /run/place
ExecStartPost=/bin/sh -c 'until test "$$(cut -b 1-12 /run/place)" -ge 500; do sleep 0.1; done'
TimeoutStartSec=600
"""


class Trial:
    """One writer, and those that follow it."""

    def __init__(self, machine, name, count, namespace=""):
        self.machine, self.name, self.count, self.namespace = machine, name, count, namespace
        self.folder = "/var/log/journal/$(cat /etc/machine-id)" + f".{namespace}" * bool(namespace)
        self.journal = f"--namespace={namespace}" if namespace else ""
        self.journald = f"systemd-journald@{namespace}" if namespace else "systemd-journald"
        self.followers, self.rate = [], 0
        self.sh("rm -rf /var/follow /var/kept; mkdir -p /var/follow /var/kept")

    def sh(self, text):
        return self.machine.need("sh", "-ec", f"folder={self.folder} journal={self.journal} journald={self.journald}; {text}")

    def follow(self, name, *options, properties=()):
        """Starts a follower as a unit, which is ready when it hears what comes."""
        files = [f"StandardOutput=file:/var/follow/{name}.out", f"StandardError=file:/var/follow/{name}.err"]
        words = [word for value in (*files, "Type=notify", "NotifyAccess=all", *properties) for word in ("-p", value)]
        self.machine.need("systemd-run", "-q", f"--unit={name}", *words, "busctl-rx", "tail", "-n", "0", *options)
        self.followers.append(name)

    def program(self, first, last):
        words = ["python3", "/payload/numbered.py", self.name, str(last), str(RATE), "/run/place", "--first", str(first)]
        return words + ["--namespace", self.namespace] * bool(self.namespace)

    def write(self):
        """Starts the writer of all entries but the last."""
        self.sh("rm -f /run/place")
        self.machine.need("systemd-run", "-q", "--unit=writer", *self.program(1, self.count - 1))

    def sent(self):
        numbers = self.machine.run("cat", "/run/place")[1].split()
        return int(numbers[0]) if numbers else 0

    def happen(self, events):
        """Does one after the other, spread over all that is written. Then the last entry is written, which nothing happens to."""
        begun = time.monotonic()
        for place, event in enumerate(events, 1):
            least = self.count * place // (len(events) + 1)
            self.machine.until(f"entry {least} of {self.name} is written", lambda: self.sent() >= least)
            self.sh(event)
        self.machine.until("all is written", lambda: self.sent() == self.count - 1)
        self.rate = self.count / (time.monotonic() - begun)
        self.machine.need(*self.program(self.count, self.count))

    def judge(self, least=0.9):
        """Compares what was shown with what can be read, when all have shown the last entry. journald may lose a part."""
        last = f"^NUMBER={self.count}$|entry {self.count} of {self.name}\\b"
        for name in self.followers:
            shown = f"tail -c 50000 /var/follow/{name}.out | grep -cE '{last}' || true"
            self.machine.until(f"{name} shows the last entry of {self.name}", lambda: self.sh(shown) != b"0\n")
            if (state := self.sh(f"systemctl is-active {name} || true").strip()) != b"active":
                self.machine.find(f"{self.name}: {name} is {state}")
            self.machine.run("systemctl", "stop", name)
            self.machine.run("systemctl", "reset-failed", name)
        self.sh("cp $folder/* /var/kept")
        seen = json.loads(
            self.machine.need("python3", "/payload/follow.py", "/var/kept", self.name, str(self.count), *self.followers)
        )
        for text in seen["findings"]:
            self.machine.find(f"{self.name}: {text}")
        if seen["readable"] < self.count * least:
            self.machine.find(f"{self.name}: only {seen['readable']} of {self.count} entries can be read")
        shown = "; ".join(f"{name} {', '.join(f'{value} {key}' for key, value in of.items())}" for name, of in seen["followers"].items())
        rate = f" at {self.rate:.0f} a second" if self.rate else ""
        self.machine.say(f"{self.name}: {self.count} sent{rate}, {seen['lost']} that journalctl cannot read afterwards; {shown}")
        return seen["followers"]


def follow(machine, count):
    """All that happens to a journal."""
    trial = Trial(machine, "events", count)
    trial.follow("all", *ALL)
    trial.follow("lines", "SYSLOG_IDENTIFIER=events")
    trial.follow("filter", "-o", "json", 'identifier == "events" && message.contains("entry")')
    trial.follow("member", "-o", "cat", "-t", "events", properties=["User=member"])
    trial.write()
    trial.happen(EVENTS * (1 + count // 50_000))
    trial.judge()


def gap(machine):
    """Files that come and go while nobody reads."""
    trial = Trial(machine, "gap", machine.sizes.part)
    trial.follow("all", *ALL)
    trial.follow("filter", "-o", "json", 'identifier == "gap" && message.contains("entry")')
    trial.write()
    trial.happen([STOP, ROTATE, ROTATE, VACUUM_SIZE + "; " + CONTINUE])
    if (of := trial.judge()["all"])["missing"] == 0:
        machine.find(f"gap: nothing was missing where files were deleted: {of}")


def namespace(machine):
    trial = Trial(machine, "apart", machine.sizes.part, "apart")
    machine.need("sh", "-ec", 'printf %s "$0" >/etc/systemd/journald@apart.conf', CONFIGURATION)
    # A namespace without a unit has no sockets once its journald has ended.
    machine.need("systemd-run", "-q", "--unit=inside", "-p", "LogNamespace=apart", "sh", "-c", "echo the first entry; exec sleep infinity")
    trial.sh("journalctl $journal --sync")
    trial.follow("all", "--namespace", "apart", *ALL)
    trial.follow("both", "--namespace", "+apart", "-o", "json", "SYSLOG_IDENTIFIER=apart")
    trial.write()
    trial.happen(EVENTS)
    trial.judge()
    machine.need("systemctl", "stop", "inside")


def early(machine):
    """A follower from before the journal is moved from /run to /var. From then on the journal has a small disk."""
    for name, text in (("early", EARLY_FOLLOWER), ("early-writer", EARLY_WRITER)):
        machine.need("sh", "-ec", 'printf %s "$1" >/etc/systemd/system/$0.service; systemctl add-wants sysinit.target $0', name, text)
    machine.need("sh", "-ec", "cp /payload/numbered.py /var/lib; echo 'tmpfs /var/log/journal tmpfs size=40M 0 0' >>/etc/fstab")
    machine.restart()
    trial = Trial(machine, "flush", 2000)
    trial.sh("ln -s /run/early.* /var/follow")
    trial.followers.append("early")
    machine.until("all is written", lambda: trial.sent() == trial.count)
    if b"/var/log/journal" not in machine.need("sh", "-c", "journalctl --header | grep ^File.path"):
        machine.find("flush: the journal is not in /var")
    trial.judge()


def full(machine):
    """The disk of the journal is full, and then no more."""
    trial = Trial(machine, "full", machine.sizes.part)
    trial.follow("all", *ALL)
    trial.follow("lines", "SYSLOG_IDENTIFIER=full")
    trial.write()
    # Without a new file journald would write on into what it has allocated.
    fill = KEEP + "dd if=/dev/zero of=/var/log/journal/filler bs=64k 2>/dev/null || true; journalctl --rotate || true"
    trial.happen([fill, fill, "rm /var/log/journal/filler", KEEP])
    refusals = int(trial.sh("dmesg | grep -c 'systemd-journald.*No space left' || true"))
    machine.say(f"full: journald said {refusals} times that there is no space")
    if refusals == 0:
        machine.find("full: the disk was not full for journald")
    trial.judge(least=0.2)


def run(machine, fault):
    if fault:
        machine.write({"/usr/local/bin/busctl-rx": FAULT})
    machine.need(
        "sh", "-ec",
        """
        printf %s "$0" >/etc/systemd/journald.conf.d/machine.conf
        for unit in systemd-journald.service systemd-journald@.service; do
            mkdir /etc/systemd/system/$unit.d
            printf '[Unit]\\nStartLimitIntervalSec=0\\n' >/etc/systemd/system/$unit.d/follow.conf
        done
        systemctl daemon-reload
        systemctl restart systemd-journald
        """,
        CONFIGURATION,
    )
    follow(machine, 2000 if fault else machine.sizes.entries)
    if not fault:
        gap(machine)
        namespace(machine)
        early(machine)
        full(machine)
