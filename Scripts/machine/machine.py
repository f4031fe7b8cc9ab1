"""A machine with systemd as its first process, under qemu. Its root is made once for each suite of Debian and kept."""
import base64
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
KEPT = TREE / ".build" / "machine"

PACKAGES = """systemd systemd-sysv dbus dbus-user-session libpam-systemd systemd-journal-remote systemd-coredump
    linux-image-cloud-amd64 initramfs-tools udev kmod procps e2fsprogs python3 nats-server libnats-dev libcurl4 libdeflate0""".split()

# What is different from a new Debian.
FILES = {
    "etc/hostname": "machine\n",
    "etc/machine-id": "",
    "etc/fstab": "/dev/vda / ext4 defaults 0 1\nLABEL=payload /payload ext4 ro,x-systemd.device-timeout=0 0 0\n",
    "etc/systemd/journald.conf.d/machine.conf": "[Journal]\nStorage=persistent\nRateLimitIntervalSec=0\n",
    "etc/systemd/system/agent.service": """[Unit]
Description=Runs what the test asks for
RequiresMountsFor=/payload
[Service]
ExecStart=/usr/bin/python3 /payload/agent.py
[Install]
WantedBy=multi-user.target
""",
    "etc/systemd/system/greeter@.service": """[Unit]
Description=Says hello to %i
[Service]
Type=oneshot
ExecStart=/bin/echo hello %i
""",
}
# They would write into the journal while it is compared, or keep a processor busy.
MASKED = """apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
    systemd-tmpfiles-clean.timer systemd-timesyncd.service nats-server.service systemd-networkd.service getty@tty1.service
    serial-getty@ttyS0.service""".split()
SETUP = """
mkdir -p "$1/payload" "$1/etc/systemd/system/multi-user.target.wants" "$1/var/lib/systemd/linger"
ln -sf ../agent.service "$1/etc/systemd/system/multi-user.target.wants/agent.service"
chroot "$1" useradd -m -G systemd-journal member
chroot "$1" useradd -m stranger
touch "$1/var/lib/systemd/linger/member" "$1/var/lib/systemd/linger/stranger"
"""


# After how many days a root is made anew, with the packages of then.
FRESH = 30
# How long one step may take, in seconds: a busy machine is no failure.
PATIENCE = 1800
# How long a command in a machine waits for something, in seconds: it answers before its own time is over.
INNER_PATIENCE = PATIENCE // 3


class Failure(Exception):
    pass


def run(*argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure(f"{argv[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}")


def wait(answer, wanted=bool, patience=PATIENCE):
    """Asks until an answer is as wanted, for so many seconds, and returns the last one. Most of the time is left to the machine."""
    end = time.monotonic() + patience
    while True:
        begun = time.monotonic()
        if wanted(seen := answer()) or begun > end:
            return seen
        time.sleep(max(0.3, 2 * (time.monotonic() - begun)))


def image(folder, path, size, label):
    with open(path, "wb") as file:
        file.truncate(size)
    run("mke2fs", "-q", "-t", "ext4", "-L", label, "-d", folder, path)


def root(suite):
    """The folder with the root, kernel and initial file system of a suite, which is made if there is none or it is old.

    An old one is taken where no new one can be made.
    """
    recipe = json.dumps([PACKAGES, FILES, MASKED, SETUP])
    folder = KEPT / (suite + "-" + hashlib.sha256(recipe.encode()).hexdigest()[:12])
    if folder.exists():
        if time.time() - folder.stat().st_mtime < FRESH * 86400:
            return folder
        try:
            make(suite, folder)
        except Failure as failure:
            print(f"== {suite}: the root of {time.strftime('%Y-%m-%d', time.gmtime(folder.stat().st_mtime))}, as no new one can be made:\n{failure}")
    else:
        make(suite, folder)
    return folder


def make(suite, folder):
    """Makes a root, in place of an older one."""
    made = folder.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    tree = made / "tree"
    excluded = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("man", "doc", "locale")]
    options = ['Apt::Install-Recommends "false"']
    if suite == "sid":
        # A mirror may be behind it by weeks.
        options.append('Acquire::Check-Valid-Until "false"')
    run(
        "mmdebstrap", "--variant=minbase", "--include=" + ",".join(PACKAGES), *excluded,
        *("--aptopt=" + option for option in options), suite, tree, *filter(None, [os.environ.get("MIRROR")]),
    )
    for name, text in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    for name in MASKED:
        path = tree / "etc/systemd/system" / name
        path.unlink(missing_ok=True)
        path.symlink_to("/dev/null")
    run("sh", "-ec", SETUP, "sh", tree)
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(sorted(tree.glob(f"boot/{name}-*"))[-1], made / name)
    image(tree, made / "root.ext4", 3 << 30, "root")
    shutil.rmtree(tree)
    # Those of older recipes, too.
    for old in KEPT.glob(suite + "-*"):
        if old != made:
            shutil.rmtree(old)
    made.rename(folder)


class Machine:
    """One machine with a disk of its own over the kept root. `payload` is a folder that it sees at /payload."""

    def __init__(self, suite, payload, work):
        self.suite, self.root, self.work = suite, root(suite), pathlib.Path(work)
        self.process = self.port = self.accelerator = self.sizes = None
        self.said, self.found = [], []
        image(payload, self.work / "payload.ext4", 256 << 20, "payload")
        run("qemu-img", "create", "-q", "-f", "qcow2", "-b", self.root / "root.ext4", "-F", "raw", self.work / "disk.qcow2")

    def say(self, line):
        """Keeps a line for the report."""
        self.said.append(line)

    def find(self, text):
        """Keeps what is wrong."""
        self.found.append(text)

    def expect(self, what, expected, seen):
        if expected != seen:
            self.find(f"{what}: expected {expected!r}, seen {seen!r}")

    def until(self, what, condition):
        """Waits until a condition holds, and returns what it answers."""
        if value := wait(condition):
            return value
        log = self.run("journalctl", "-n", "40", "--no-pager")[1].decode(errors="replace")
        raise Failure(f"after {PATIENCE} s still not: {what}\n{log}")

    def write(self, files):
        """Writes texts to paths. One that begins with #! is a program."""
        for path, text in files.items():
            self.need("sh", "-ec", 'mkdir -p "${0%/*}"; cat >"$0"; case "$1" in "#!") chmod +x "$0" ;; esac', path, text[:2], input=text)

    def start(self):
        """Boots it, and returns how long that took, in seconds."""
        # Where /dev/kvm is there it need not work: what booted is kept until this system boots.
        kept = self.root / ("accelerator-" + pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        known = [kept.read_text()] if kept.exists() else ["kvm"] * os.access("/dev/kvm", os.W_OK) + ["tcg,thread=multi"]
        for accelerator in known:
            begun = time.monotonic()
            if self._boot(accelerator, 40 if accelerator == "kvm" else PATIENCE):
                kept.write_text(accelerator)
                self.accelerator = accelerator
                return time.monotonic() - begun
            self.cut()
        raise Failure("it does not boot:\n" + self.console())

    def _boot(self, accelerator, patience):
        path = self.work / "agent.sock"
        path.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [
                # It ends with this program, however that ends.
                "setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-machine", "q35",
                "-accel", accelerator, "-cpu", "host" if accelerator == "kvm" else "max",
                # Two emulated processors wait for each other's locks: they need several times the time of one.
                "-smp", "2" if accelerator == "kvm" else "1", "-m", "1024", "-nic", "none", "-nodefaults", "-display", "none",
                "-kernel", self.root / "vmlinuz", "-initrd", self.root / "initrd.img",
                "-append", "root=/dev/vda rw console=ttyS0 panic=-1 systemd.show_status=0 mitigations=off",
                # A cut ends qemu alone, and the cache of this system keeps what the machine had flushed: it need not reach a disk.
                "-drive", f"file={self.work}/disk.qcow2,if=virtio,cache=unsafe",
                "-drive", f"file={self.work}/payload.ext4,if=virtio,format=raw,readonly=on",
                "-serial", f"file:{self.work}/console", "-device", "virtio-serial",
                "-chardev", f"socket,id=agent,path={path},server=on,wait=off",
                "-device", "virtserialport,chardev=agent,name=agent",
                "-qmp", f"unix:{self.work}/qmp.sock,server=on,wait=off",
            ],
            stdin=subprocess.DEVNULL,
            stderr=open(self.work / "qemu.log", "wb"),
        )
        end = time.monotonic() + patience
        self.port, self.received, self.count = socket.socket(socket.AF_UNIX), b"", 0
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.port.connect(str(path))
                break
            except OSError:
                time.sleep(0.1)
        try:
            return self._receive(max(0, end - time.monotonic()))["id"] == 0
        except (OSError, Failure):
            return False

    def _receive(self, patience):
        self.port.settimeout(patience)
        while b"\n" not in self.received:
            part = self.port.recv(1 << 20)
            if not part:
                raise Failure("the machine has ended:\n" + self.console())
            self.received += part
        line, self.received = self.received.split(b"\n", 1)
        return json.loads(line)

    def console(self):
        try:
            return (self.work / "console").read_bytes().decode(errors="replace")[-4000:]
        except OSError:
            log = self.work / "qemu.log"
            return log.read_text() if log.exists() else "nothing: qemu was not started"

    def run(self, *argv, input=""):
        """Runs a command in it, and returns its status, its output and what it said of errors."""
        self.count += 1
        request = {"id": self.count, "argv": argv, "input": input, "timeout": PATIENCE}
        self.port.sendall(json.dumps(request).encode() + b"\n")
        while (answer := self._receive(PATIENCE + 60))["id"] != self.count:
            pass
        return answer["status"], base64.b64decode(answer["out"]), base64.b64decode(answer["err"]).decode(errors="replace")

    def need(self, *argv, **options):
        """The output of a command that has to succeed."""
        status, out, err = self.run(*argv, **options)
        if status != 0:
            raise Failure(f"{' '.join(argv)} ended with {status}:\n{out.decode(errors='replace')[-4000:]}{err[-4000:]}")
        return out

    def suspend(self, seconds, *argv):
        """Runs a command that suspends it, and wakes it after some seconds. The command may have no answer until then."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            woken = pool.submit(self._wake, seconds)
            self.need(*argv)
            if not woken.result():
                self.find("it was not suspended")

    def _wake(self, seconds):
        """Waits until it is suspended, and wakes it after some seconds. Returns whether it was suspended."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(PATIENCE)
            monitor.connect(str(self.work / "qmp.sock"))
            answers = monitor.makefile()

            def ask(command):
                monitor.sendall(json.dumps({"execute": command}).encode())
                # qemu may tell of an event before it answers.
                while "return" not in (answer := json.loads(answers.readline())):
                    if "error" in answer:
                        raise Failure(f"qemu does not know {command}: {answer['error']}")
                return answer["return"]

            answers.readline()
            ask("qmp_capabilities")
            if wait(lambda: ask("query-status")["status"], lambda seen: seen == "suspended") != "suspended":
                return False
            time.sleep(seconds)
            ask("system_wakeup")
            return True

    def cut(self):
        """Takes the power away."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.port.close()
            self.process = None

    def restart(self):
        """Ends it in order, and boots it again."""
        try:
            self.run("systemctl", "--no-block", "poweroff")
        except (OSError, Failure):
            # It may end before it answers.
            pass
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("it does not end:\n" + self.console()) from None
        self.port.close()
        return self.start()
