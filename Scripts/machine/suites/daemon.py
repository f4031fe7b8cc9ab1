"""unitwatch, installed by its README: readiness, reload, watchdog, stop, sockets, credentials, sandbox, the clock set, the machine suspended."""
import json
import re
import time

from machine import HERE, PATIENCE, wait

# The manager is told nothing, and takes the daemon for ready as soon as it runs.
FAULT = "[Service]\nType=exec\nUnsetEnvironment=NOTIFY_SOCKET\n"
FOUND = "before it has said that it is ready"

SANDBOX = """[Service]
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
ProtectProc=invisible
NoNewPrivileges=yes
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
CapabilityBoundingSet=
"""

# Begins with a process that is stopped.
HELD = """[Service]
ExecStart=
ExecStart=/bin/sh -c 'kill -STOP $$$$; exec /usr/local/bin/unitwatch /etc/unitwatch.conf'
"""

# Stops one thread of a process: in a control group for threads, which is frozen.
FREEZE = """
group=/sys/fs/cgroup/system.slice/unitwatch.service/worker
mkdir $group
echo threaded >$group/cgroup.type
# It starts with its first work.
until thread=$(grep -lx worker /proc/$0/task/*/comm); do sleep 0.3; done
echo $thread | cut -d/ -f5 >$group/cgroup.threads
echo 1 >$group/cgroup.freeze
"""


class Daemon:
    """What is asked of unitwatch."""

    def __init__(self, machine, fault):
        self.machine, self.fault, self.stops = machine, fault, []
        # Long, because no verdict may depend on how busy the machine is.
        self.patience = 45 if fault else PATIENCE

    def sh(self, script, *arguments, **options):
        """The output of a script that has to succeed."""
        return self.machine.need("sh", "-ec", script, *arguments, **options).decode()

    def expect(self, truth, finding):
        if not truth:
            self.machine.find(finding)

    def wait(self, answer, wanted):
        """Waits until an answer is as wanted, and returns the last one."""
        return wait(answer, wanted, self.patience)

    def eventually(self, what, answer, wanted):
        """Waits until an answer is what is wanted: a value, or a function that says so. Without it there is a finding."""
        test = wanted if callable(wanted) else lambda seen: seen == wanted
        seen = self.wait(answer, test)
        self.expect(test(seen), f"{what}: {seen!r}" + ("" if callable(wanted) else f" instead of {wanted!r}"))

    def show(self, name, unit="unitwatch"):
        return self.sh('systemctl show -P "$0" "$1"', name, unit).strip()

    def status(self, wanted, when):
        self.eventually(f"status {when}", lambda: self.show("StatusText"), wanted)

    def active(self, when):
        self.eventually(f"state {when}", lambda: self.show("ActiveState"), "active")

    def configure(self, *settings):
        self.sh('printf "%s\\n" "$@" >/etc/unitwatch.conf', "sh", *settings)

    def drop_in(self, text):
        """What is added to the unit; without a text nothing is."""
        self.sh(
            """
            rm -rf /etc/systemd/system/unitwatch.service.d
            [ -z "$0" ] || { mkdir /etc/systemd/system/unitwatch.service.d; printf %s "$0" >/etc/systemd/system/unitwatch.service.d/test.conf; }
            systemctl daemon-reload
            """,
            text,
        )

    def start(self, *settings, add="", then=""):
        """Starts it anew, and does something at once."""
        self.sh("systemctl stop unitwatch; systemctl reset-failed unitwatch 2>/dev/null || true")
        self.drop_in(add + self.fault)
        self.configure(*settings)
        self.sh("systemctl start unitwatch; " + then)

    def stop(self, when):
        """Stops it, which has to end before systemd's patience does."""
        begun = self.uptime()
        self.sh("systemctl stop unitwatch")
        self.stops.append(self.uptime() - begun)
        result = self.show("Result")
        self.expect(result == "success", f"the stop {when} ended with {result}")

    def uptime(self):
        """Seconds for which the machine has run or been suspended."""
        return float(self.sh("cat /proc/uptime").split()[0])

    def awake(self):
        """Seconds for which it has run."""
        return float(self.sh('python3 -c "import time; print(time.monotonic())"'))

    def asleep(self):
        """Seconds for which it has been suspended."""
        return float(self.sh('python3 -c "import time; print(time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic())"'))

    def running(self, unit):
        return self.show("ActiveState", unit) == "active"

    def entries(self, *match):
        """Entries of this boot, in the order in which they were written."""
        lines = self.machine.need("sh", "-ec", 'journalctl --sync; exec journalctl -b -o json "$@"', "sh", *match).splitlines()
        return sorted(map(json.loads, lines), key=lambda entry: int(entry["__MONOTONIC_TIMESTAMP"]))

    def said(self, invocation=None):
        """What it wrote to the journal since it was started."""
        return self.entries("-t", "unitwatch", f"_SYSTEMD_INVOCATION_ID={invocation or self.show('InvocationID')}")

    def messages(self, invocation=None):
        return [entry["MESSAGE"] for entry in self.said(invocation)]

    def fail(self, first, last):
        """The unit that is watched tells of errors."""
        self.sh(
            """systemd-run --quiet --wait --collect --unit=shop sh -c 'for n in $(seq '$0' '$1'); do echo "<3>error $n"; done'""",
            str(first), str(last),
        )


def installation(daemon):
    """By the lines of its README that a reader would type as root."""
    lines = re.findall(r"(?m)^# (.*)$", "".join(re.findall(r"(?s)```console\n(.*?)```", (HERE / "../../Examples/Daemon/README.md").read_text())))
    daemon.expect(len(lines) >= 4, f"the README has {len(lines)} lines for root instead of 4 or more")
    daemon.sh("cd /payload/unitwatch\n" + "\n".join(lines))
    daemon.active("after the installation")
    daemon.status("watching nginx.service", "after the installation")
    text = daemon.sh("systemctl status unitwatch")
    daemon.expect('Status: "watching nginx.service"' in text, f"systemctl status does not show the status:\n{text}")
    daemon.expect(daemon.show("UnitFileState") == "enabled", "it is not enabled after the installation")


def readiness(daemon):
    """Active only when it has said so, and able to do all of its work then; and why it does not start."""
    daemon.sh("systemctl stop unitwatch")
    daemon.drop_in(HELD + daemon.fault)
    daemon.configure("unit = shop.service")
    daemon.sh("systemctl start --no-block unitwatch")
    state = lambda: daemon.sh("cut -d' ' -f3 /proc/$(systemctl show -P MainPID unitwatch)/stat 2>/dev/null || true").strip()
    daemon.eventually("state of the process that waits", state, "T")
    seen = daemon.show("ActiveState")
    daemon.expect(seen == "activating", f"before it has said that it is ready it is {seen!r} instead of 'activating'")
    daemon.sh("systemctl kill --signal=CONT unitwatch")
    daemon.active("after it has said that it is ready")
    daemon.status("watching shop.service", "after it has said that it is ready")

    # At once, so that what is not ready by then shows.
    daemon.start("unit = shop.service", then="systemctl reload unitwatch; busctl-rx inspect /run/unitwatch/unitwatch.tap")
    daemon.status("watching shop.service", "after a reload at once")
    daemon.active("after a reload at once")

    daemon.sh("systemctl stop unitwatch")
    daemon.configure("unit = shop.service", "nonsense")
    status, _, _ = daemon.machine.run("systemctl", "start", "unitwatch")
    daemon.expect(status != 0, "it starts with a bad configuration")
    reason = 'unitwatch: /etc/unitwatch.conf, line 2: "nonsense" is no setting'
    daemon.expect(
        any(entry["MESSAGE"] == reason for entry in daemon.entries("_SYSTEMD_UNIT=unitwatch.service")),
        f"the journal does not say why it does not start: {reason}",
    )


def reload(daemon):
    """A good configuration is taken, a bad one refused, with either way of telling it."""
    ways = {"ExecReload=": ""}
    if int(daemon.sh("systemctl --version").split()[1]) >= 253:
        ways["Type=notify-reload"] = "[Service]\nType=notify-reload\nExecReload=\n"
    for way, add in ways.items():
        daemon.start("unit = shop.service", "pause = 0", add=add)
        process = daemon.show("MainPID")
        daemon.configure("unit = other.service")
        daemon.sh("systemctl reload unitwatch")
        if "Type=" in way:
            seen = daemon.show("StatusText")
            daemon.expect(seen == "watching other.service", f"{way}: the status when the reload has ended is {seen!r}")
        daemon.status("watching other.service", f"after a reload with {way}")

        daemon.configure("unit = shop.service", "pause = 0")
        daemon.sh("systemctl reload unitwatch")
        daemon.status("watching shop.service", f"after the next reload with {way}")
        daemon.configure("nonsense")
        daemon.sh("systemctl reload unitwatch")
        kept = 'still with the configuration from before: /etc/unitwatch.conf, line 1: "nonsense" is no setting'
        daemon.status(kept, f"after a bad reload with {way}")
        daemon.eventually(f"refusal in the journal with {way}", daemon.messages, lambda seen: kept in seen)
        daemon.fail(1, 1)
        daemon.eventually(f"what it passes on after a bad reload with {way}", daemon.messages, lambda seen: "shop.service says: error 1" in seen)
        daemon.active(f"after a bad reload with {way}")
        daemon.expect(daemon.show("MainPID") == process, f"a reload with {way} has made another process of it")
    daemon.machine.say(f"reload by {' and '.join(ways)}")


def journal(daemon):
    """What it passes on, how it ends, and as whose its entries are kept."""
    daemon.start("unit = shop.service", "pause = 0", "summary = monthly")
    invocation = daemon.show("InvocationID")
    daemon.fail(1, 50)
    daemon.wait(daemon.messages, lambda seen: "shop.service says: error 50" in seen)
    seen = [message for message in daemon.messages() if "says" in message]
    daemon.expect(seen == [f"shop.service says: error {n}" for n in range(1, 51)], f"of 50 errors it passed on {len(seen)}: {seen[:3]} …")
    own = daemon.entries("-t", "unitwatch", f"_PID={daemon.show('MainPID')}")
    daemon.expect(len(own) >= 50, f"only {len(own)} entries have its process")
    for name, wanted in (
        ("_SYSTEMD_UNIT", "unitwatch.service"), ("_SYSTEMD_INVOCATION_ID", invocation), ("_TRANSPORT", "journal"), ("PRIORITY", "4"),
    ):
        bad = [entry for entry in own if entry.get(name) != wanted]
        daemon.expect(not bad, f"{len(bad)} of {len(own)} entries do not have {name}={wanted}, but {bad[:1]}")

    daemon.stop("with 50 errors counted")
    # Without the invocation: its process may have ended before journald looks it up.
    last = daemon.entries("-t", "unitwatch")[-1]["MESSAGE"]
    daemon.expect(last == "50 errors since the last summary, at the end", f"its last word is {last!r}")


def forwarding(daemon):
    """Errors that come while it is stopped, started and killed are stored by a server of NATS, each at least once."""
    daemon.sh(
        """
        systemd-run --quiet --unit=hub nats-server -js -sd /var/lib/hub -a 127.0.0.1
        systemd-run --quiet --unit=stored -p Restart=always -p StandardOutput=append:/run/stored python3 /payload/stored.py errors.shop
        """
    )
    daemon.wait(lambda: daemon.sh("cat /run/stored 2>/dev/null || true"), bool)
    daemon.start("unit = shop.service", "forward = nats://127.0.0.1:4222 errors.shop")
    first = 10_001
    daemon.sh(
        """systemd-run --quiet --collect --unit=shop sh -c '
            n='$0'; until [ -e /run/enough ]; do echo "<3>error $n"; n=$((n + 1)); sleep 0.2; done; echo $((n - 1)) >/run/last
        '""",
        str(first),
    )
    stored = lambda: list(map(int, daemon.sh("grep -o 'error 1[0-9][0-9][0-9][0-9]' /run/stored | cut -d' ' -f2 || true").split()))
    for count in range(3):
        already = len(stored())
        seen = daemon.wait(stored, lambda seen: len(seen) > already)
        daemon.expect(len(seen) > already, f"no error was stored in round {count + 1}")
        if count == 1:
            before = daemon.show("MainPID")
            daemon.sh("systemctl kill --signal=KILL unitwatch")
            daemon.eventually("process after it was killed", lambda: daemon.show("MainPID"), lambda seen: seen not in ("0", before))
        else:
            daemon.stop("while errors come")
            # Until there is one that it finds by nothing but its place in the journal.
            newest = lambda: daemon.sh("journalctl -o cat -n 1 _SYSTEMD_UNIT=shop.service")
            number = newest()
            daemon.expect(daemon.wait(newest, lambda seen: seen != number) != number, "no error came while it was stopped")
            daemon.sh("systemctl start unitwatch")
    daemon.sh("touch /run/enough")
    last = int(daemon.wait(lambda: daemon.sh("cat /run/last 2>/dev/null || true"), bool))
    wanted = set(range(first, last + 1))
    daemon.wait(stored, lambda seen: wanted <= set(seen))
    seen = stored()
    missing = sorted(wanted - set(seen))
    daemon.expect(not missing, f"of {len(wanted)} errors over two stops and a kill {len(missing)} were not stored: {missing[:5]} …")
    daemon.machine.say(f"{len(set(seen))} errors over two stops and a kill all stored, {len(seen) - len(set(seen))} twice")


def watchdog(daemon):
    """Stopped as a whole, and with its worker alone stopped, it is killed and started anew."""
    for what, script in (("it", "kill -STOP $0"), ("its worker", FREEZE)):
        daemon.start("unit = shop.service", "pause = 0")
        process, invocation = daemon.show("MainPID"), daemon.show("InvocationID")
        daemon.sh(script, process)
        begun = time.monotonic()
        daemon.wait(lambda: daemon.show("MainPID"), lambda seen: seen not in ("0", process))
        seconds = time.monotonic() - begun
        daemon.active(f"after {what} was stopped")
        restarts = daemon.show("NRestarts")
        daemon.expect(restarts == "1", f"after {what} was stopped there were {restarts} restarts instead of 1")
        said = [entry["MESSAGE"] for entry in daemon.entries("_PID=1", f"INVOCATION_ID={invocation}")]
        daemon.expect(any("Watchdog timeout" in line for line in said), f"systemd says of no watchdog after {what} was stopped: {said}")
        if what == "its worker":
            said = daemon.messages(invocation)
            daemon.expect(any("worker has said nothing for" in line for line in said), f"it does not say that its worker hangs: {said}")
        daemon.fail(1, 1)
        daemon.eventually(f"what it passes on after {what} was stopped", daemon.messages, lambda seen: "shop.service says: error 1" in seen)
        daemon.machine.say(f"{what} stopped: started anew after {seconds:.0f} s")


def sockets(daemon):
    """systemd listens for its tap, and for a program with several sockets."""
    daemon.start("unit = shop.service")
    daemon.sh(
        """
        systemctl stop unitwatch
        cp /payload/unitwatch/unitwatch.socket /etc/systemd/system/
        systemctl daemon-reload
        systemctl enable --now unitwatch.socket
        """
    )
    daemon.expect(daemon.show("ActiveState") == "inactive", "it runs before anybody connects to its socket")
    for when in ("at first", "after a restart", "after a stop"):
        if "after" in when:
            daemon.sh(f"systemctl {when.split()[-1]} unitwatch")
        text = daemon.sh("busctl-rx inspect /run/unitwatch.tap")
        daemon.expect("configuration.loaded" in text, f"the tap that systemd listens for shows {text!r} {when}")
        daemon.active(f"when somebody has connected {when}")
    daemon.sh("systemctl disable --now unitwatch.socket; rm /etc/systemd/system/unitwatch.socket; systemctl daemon-reload")

    daemon.sh(
        """
        cd /run/systemd/system
        printf '[Socket]\nListenStream=/run/web\nFileDescriptorName=web\nService=probe.service\n' >web.socket
        printf '[Socket]\nListenDatagram=/run/data\nFileDescriptorName=data\nService=probe.service\n' >data.socket
        printf '[Service]\nType=oneshot\nExecStart=/payload/systemd-probe activation\nSockets=web.socket data.socket\n' >probe.service
        systemctl daemon-reload
        systemctl start web.socket data.socket probe.service
        """
    )
    seen = [entry["MESSAGE"] for entry in daemon.entries("_SYSTEMD_UNIT=probe.service")]
    wanted = ["web: a Unix stream socket that listens", "data: a Unix datagram socket"]
    # Their order is systemd's choice.
    daemon.expect(
        sorted(seen) in [sorted([f"3 {a}", f"4 {b}", "then 0"]) for a, b in (wanted, wanted[::-1])], f"a program with two sockets says {seen}"
    )


def secrets(daemon):
    """Credentials reach a program, and the daemon's configuration can be one."""
    seen = daemon.sh(
        """
        umask 077
        printf %s "from a file" >/etc/token
        exec systemd-run --quiet --pipe --wait -p DynamicUser=yes -p LoadCredential=token:/etc/token -p SetCredential=word:set \
            /payload/systemd-probe credentials token word other
        """
    ).splitlines()
    daemon.expect(
        seen[:2] == ["token: from a file", "word: set"] and len(seen) == 3 and seen[2].startswith("error: cannot open the credential"),
        f"a program with two credentials says {seen}",
    )
    add = "[Service]\nLoadCredential=unitwatch.conf:/etc/unitwatch.conf\nExecStart=\nExecStart=/usr/local/bin/unitwatch %d/unitwatch.conf\n"
    daemon.sh("install -m 600 /dev/null /etc/unitwatch.conf")
    daemon.start("unit = secret.service", add=add)
    daemon.status("watching secret.service", "with its configuration as a credential")
    daemon.sh("chmod 644 /etc/unitwatch.conf")


def access(daemon):
    """A child's notification counts only when NotifyAccess= says so."""
    for setting, wanted in (("main", ""), ("all", "from a child")):
        daemon.sh(
            """systemd-run --quiet --unit=access-$0 -p Type=exec -p NotifyAccess=$0 -p StandardOutput=append:/run/access-$0 \
            sh -c '/payload/systemd-probe status "from a child"; echo done; exec sleep infinity'""",
            setting,
        )
        seen = daemon.wait(lambda: daemon.sh('cat "/run/access-$0"', setting), lambda seen: "done" in seen)
        daemon.expect(seen == "told: true\ndone\n", f"with NotifyAccess={setting} the child says {seen!r}")
        seen = daemon.show("StatusText", f"access-{setting}")
        daemon.expect(seen == wanted, f"with NotifyAccess={setting} the status is {seen!r} instead of {wanted!r}")


def sandbox(daemon):
    """It works in a narrow sandbox, and its log has no complaints."""
    daemon.start("unit = shop.service", "pause = 0", add=SANDBOX)
    daemon.fail(1, 1)
    daemon.eventually("what it passes on in a sandbox", daemon.messages, lambda seen: "shop.service says: error 1" in seen)
    daemon.expect("unit.failed" in daemon.sh("busctl-rx inspect /run/unitwatch/unitwatch.tap"), "its tap does not work in a sandbox")
    invocation = daemon.show("InvocationID")
    daemon.stop("in a sandbox")
    said = [entry["MESSAGE"] for entry in daemon.entries(f"_SYSTEMD_INVOCATION_ID={invocation}") if entry["SYSLOG_IDENTIFIER"] != "unitwatch"]
    complaints = [entry["MESSAGE"] for entry in daemon.entries("_SYSTEMD_UNIT=unitwatch.service") if "thread priority" in entry["MESSAGE"]]
    daemon.expect(not said + complaints, f"its log has complaints: {said + complaints}")


def clocks(daemon):
    """The clock set forwards and backwards, and the machine suspended: the calendar goes on, without a storm and without a stop."""
    daemon.start("unit = shop.service", "pause = 0", "summary = hourly")
    process = daemon.show("MainPID")
    started = daemon.awake()
    daemon.sh("exec systemd-run --quiet --unit=beats -p StandardOutput=append:/run/beats busctl-rx tail --from every:2s -o json")
    lines = lambda: [line for line in daemon.sh("cat /run/beats 2>/dev/null || true").splitlines(True) if line.endswith("\n")]
    # A tick says how many before it were missed.
    beats = lambda: sum(1 + json.loads(line)["fields"]["missed"] for line in lines())
    daemon.expect(daemon.wait(beats, bool), "no tick of every:2s")
    first = daemon.awake()
    summaries = lambda: [entry for entry in daemon.said() if "errors since the last summary" in entry["MESSAGE"]]
    before = len(summaries())
    hour = (int(daemon.sh("date +%s")) // 3600 + 1) * 3600
    daemon.fail(1, 1)
    daemon.sh('date -s "@$0"', str(hour - 5))
    new = daemon.wait(lambda: summaries()[before:], bool)
    daemon.expect(new, "no summary at the next full hour, to which the clock was set")
    early = [entry for entry in new if int(entry["__REALTIME_TIMESTAMP"]) < hour * 1_000_000]
    daemon.expect(not early, f"a summary before the full hour: {early}")

    period = daemon.machine.sizes.period
    daemon.configure("unit = shop.service", "pause = 0", f"summary = *:*:0/{period}")
    daemon.sh("systemctl reload unitwatch")
    suspend = "systemctl suspend"
    changes = ["true", "date -s +1hour", "date -s -2hours", "date -s +1hour"]
    if "mem" in daemon.sh("cat /sys/power/state"):
        changes.append(suspend)
    else:
        daemon.machine.say("not suspended: its kernel cannot")
    for change in changes:
        what = {"true": "with the clock left alone", suspend: "after the machine was suspended"}.get(change, f"after {change}")
        before, begun, asleep = len(summaries()), daemon.uptime(), daemon.asleep()
        if change != suspend:
            daemon.sh(change)
        else:
            daemon.machine.suspend(20, *suspend.split())
            slept = daemon.wait(lambda: daemon.asleep() - asleep, lambda seen: seen > 15)
            daemon.expect(slept > 15, f"the machine that was suspended for 20 s says that it slept {slept:.1f} s")
            daemon.machine.say(f"suspended for {slept:.0f} s")
        new = daemon.wait(lambda: summaries()[before:], lambda seen: len(seen) >= 3)
        daemon.expect(len(new) >= 3, f"{what} there were {len(new)} summaries of one each {period} seconds")
        most = (daemon.uptime() - begun) / period + 2
        daemon.expect(len(new) <= most, f"{what} there were {len(new)} summaries, and {most:.0f} are the most that can be due")
    wanted = (daemon.awake() - first) / 2
    daemon.eventually(f"ticks of every:2s after all clocks, of {wanted:.0f} that were due", beats, lambda seen: seen >= wanted)
    seen, most = beats(), (daemon.awake() - started) / 2 + 1
    daemon.expect(seen <= most, f"{seen} ticks of every:2s through all clocks, and {most:.0f} are the most that can be due")
    daemon.sh("systemctl stop beats")
    daemon.machine.say(f"{seen} ticks of every:2s through all clocks")
    daemon.fail(2, 2)
    daemon.eventually("what it passes on after all clocks", daemon.messages, lambda seen: "shop.service says: error 2" in seen)
    daemon.expect(daemon.show("MainPID") == process, "it was started anew while the clocks changed")


PARTS = [installation, readiness, reload, journal, forwarding, watchdog, sockets, secrets, access, sandbox, clocks]


def run(machine, fault):
    daemon = Daemon(machine, FAULT if fault else "")
    for part in PARTS[:2] if fault else PARTS:
        part(daemon)
    if daemon.stops:
        machine.say(f"{len(daemon.stops)} stops took at most {max(daemon.stops):.1f} s")
