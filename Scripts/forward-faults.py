#!/usr/bin/env python3
"""Forwards a journal to an OpenTelemetry receiver while everything between fails at random, and compares what arrived.

usage: Scripts/forward-faults.py [--minutes 60] [--entries 1000000] [--seed N] [--program .build/release/busctl-rx] [--plant]

A journald of its own, with files so small that they rotate all the time, a writer, `busctl-rx forward` that is started again whenever it ends,
a relay as the network, and a receiver that decodes requests with the messages that OpenTelemetry publishes (opentelemetry-proto of PyPI).
Sender, receiver, relay and journald are killed and stopped, connections are cut, the disk below the cursor file is filled, and the receiver
answers with 429, 503, partial success, resets, silence, and answers that come after the sender has given up.

In the end each entry of the journal must have arrived, or have been refused and recorded; none may have arrived more often than the faults
explain. --plant lets the sender leave out one entry, which has to be found. Needs root and systemd-journald; talks to loopback only.
"""
import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

JOURNALD = "/lib/systemd/systemd-journald"
# About 2 MiB of entries can be on their way (OTLPSink.maxBytes), of about 300 bytes each; each of them may come twice after a kill.
WINDOW = 8_000
# So many records has a request.
BATCH = 1000
# How often the receiver fails a request, of a thousand.
ANSWERS = {"429": 15, "503": 15, "partial": 5, "reset": 10, "hang": 3, "late": 1}
# How long an answer takes that comes late: longer than the sender waits.
LATE = 33


def receiver(folder, port, seed):
    """Stores the numbers of entries, a line each, before it answers."""
    import http.server
    import struct

    from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as service

    chance, lock = random.Random(seed), threading.Lock()
    stored = open(folder / "stored", "a", buffering=1 << 16)
    rejected = open(folder / "rejected", "a")
    answers = open(folder / "answers", "a", buffering=1)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                data = gzip.decompress(data)
            request = service.ExportLogsServiceRequest.FromString(data)
            numbers = [
                next(a.value.string_value for a in record.attributes if a.key == "NUMBER")
                for logs in request.resource_logs
                for scope in logs.scope_logs
                for record in scope.log_records
            ]
            with lock:
                kinds, weights = [*ANSWERS, "200"], [*ANSWERS.values(), 1000 - sum(ANSWERS.values())]
                answer = chance.choices(kinds, weights)[0] if numbers else "200"
                print(answer, len(numbers), file=answers)
            if answer == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return self.connection.close()
            if answer in ("hang", "late"):
                time.sleep(2 if answer == "hang" else LATE)
            if answer == "hang":
                self.close_connection = True
                return
            body = b""
            if answer == "partial":
                refused, numbers = numbers[:1], numbers[1:]
                with lock:
                    print(*refused, sep="\n", file=rejected, flush=True)
                body = service.ExportLogsServiceResponse(
                    partial_success={"rejected_log_records": 1, "error_message": "no room for one"}
                ).SerializeToString()
            if answer in ("200", "partial", "late") and numbers:
                with lock:
                    print(*numbers, sep="\n", file=stored, flush=True)
            try:
                self.send_response(int(answer) if answer.isdigit() else 200)
                if answer in ("429", "503"):
                    self.send_header("Retry-After", "1")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        allow_reuse_address = True

        def handle_error(self, *_):
            pass

    Server(("127.0.0.1", port), Handler).serve_forever()


def relay(port, target):
    """Passes bytes on, both ways."""
    listening = socket.create_server(("127.0.0.1", port))

    def pump(source, sink):
        try:
            while data := source.recv(1 << 16):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    while True:
        client, _ = listening.accept()
        try:
            server = socket.create_connection(("127.0.0.1", target))
        except OSError:
            client.close()
            continue
        for pair in ((client, server), (server, client)):
            threading.Thread(target=pump, args=pair, daemon=True).start()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Journal:
    """A journald in a namespace of its own."""

    def __init__(self):
        machine = pathlib.Path("/etc/machine-id").read_text().strip()
        self.name = "rxf%x" % os.getpid()
        self.configuration = pathlib.Path(f"/etc/systemd/journald@{self.name}.conf")
        self.runtime = pathlib.Path(f"/run/systemd/journal.{self.name}")
        self.files = pathlib.Path(f"/var/log/journal/{machine}.{self.name}")
        self.configuration.parent.mkdir(parents=True, exist_ok=True)
        self.configuration.write_text(
            "[Journal]\nStorage=persistent\nSystemMaxUse=16G\nSystemMaxFiles=100000\nSystemMaxFileSize=8M\nSystemKeepFree=1M\n"
            "RateLimitIntervalSec=0\nRateLimitBurst=0\nForwardToSyslog=no\nForwardToKMsg=no\nForwardToConsole=no\nForwardToWall=no\n"
        )
        self.start()

    def start(self):
        self.process = subprocess.Popen([JOURNALD, self.name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def crash(self):
        self.process.kill()
        self.process.wait()
        (self.runtime / "socket").unlink(missing_ok=True)
        self.start()

    def remove(self, keepsFiles):
        self.process.terminate()
        self.process.wait()
        self.configuration.unlink()
        shutil.rmtree(self.runtime, ignore_errors=True)
        if keepsFiles:
            print(f"the journal: {self.files}")
        else:
            shutil.rmtree(self.files, ignore_errors=True)


def write(journal, count, seconds, seed):
    """Writes entries of many fields, and waits while journald is away."""
    chance = random.Random(seed)
    sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    begin = time.monotonic()
    for number in range(count):
        fields = {
            "NUMBER": number,
            "MESSAGE": f"request {number} took {chance.randrange(10_000)} ms " + "x" * chance.randrange(200),
            "PRIORITY": chance.choice([3, 4, 5, 6, 6, 6, 7]),
            "SYSLOG_IDENTIFIER": chance.choice(["shop", "cart", "search"]),
            "CODE_FILE": "/src/shop/Request.swift",
            "CODE_LINE": chance.randrange(400),
            "REQUEST_ID": "%032x" % chance.getrandbits(128),
            "USER": f"user-{chance.randrange(1000)}",
            "STATUS": chance.choice([200, 200, 200, 404, 500]),
        }
        datagram = "".join(f"{name}={value}\n" for name, value in fields.items()).encode()
        while True:
            try:
                sender.sendto(datagram, str(journal.runtime / "socket"))
                break
            except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError):
                time.sleep(0.05)
        ahead = begin + seconds * number / count - time.monotonic()
        if ahead > 0.01:
            time.sleep(ahead)


class Child:
    """A process that is started again whenever it ends."""

    def __init__(self, name, words, output):
        self.name, self.words, self.output = name, words, output
        self.statuses = collections.Counter()
        self.isWanted = True
        self.start()
        threading.Thread(target=self.watch, daemon=True).start()

    def start(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output)

    def watch(self):
        while True:
            self.statuses[self.process.wait()] += 1
            if not self.isWanted:
                return
            time.sleep(0.2)
            self.start()

    def end(self):
        self.isWanted = False
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait()


def stopped(process, seconds):
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)


def filled(folder, seconds):
    """Leaves no room on the disk of the cursor file."""
    with open(folder / "filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
    time.sleep(seconds)
    (folder / "filler").unlink()


def numbers(path):
    return collections.Counter(map(int, path.read_text().split())) if path.exists() else collections.Counter()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--entries", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--program", default=".build/release/busctl-rx")
    options.add_argument("--only", help="these faults, with commas between them, as in 'sender killed,journald killed'")
    options.add_argument("--pause", type=float, default=8, help="at most so many seconds between two faults")
    options.add_argument("--keep", action="store_true", help="leave the journal where it is if something is wrong")
    options.add_argument("--plant", action="store_true")
    options = options.parse_args()
    try:
        import opentelemetry.proto.logs.v1.logs_pb2  # noqa: F401
    except ImportError:
        sys.exit("needs Python's package opentelemetry-proto: pip install opentelemetry-proto")
    if os.geteuid() != 0 or not os.path.exists(JOURNALD):
        sys.exit(f"needs root and {JOURNALD} (Debian's package systemd)")
    print(f"seed {options.seed}")

    chance = random.Random(options.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="forward-faults"))
    state = folder / "state"
    state.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", state], check=True)
    journal = Journal()
    output = open(folder / "sender.log", "ab")
    ports = free_port(), free_port()
    own = [sys.executable, __file__]
    words = [options.program, "forward", "--from", f"namespace:{journal.name}", "--to", f"otlp+http://127.0.0.1:{ports[0]}"]
    words += ["--cursor-file", str(state / "cursor"), "has(NUMBER)" + (" && NUMBER != '30'" if options.plant else "")]
    children, counts, wrong = [], collections.Counter(), True
    try:
        while not (journal.runtime / "socket").exists() or not list(journal.files.glob("*.journal")):
            time.sleep(0.1)
        receiving = Child("receiver", [*own, "receiver", str(folder), str(ports[1]), str(options.seed)], subprocess.DEVNULL)
        passing = Child("relay", [*own, "relay", str(ports[0]), str(ports[1])], subprocess.DEVNULL)
        sending = Child("sender", words, output)
        children = [receiving, passing, sending]
        faults = {
            "sender killed": lambda: sending.process.kill(),
            "sender ended": lambda: sending.process.terminate(),
            "sender stopped": lambda: stopped(sending.process, chance.uniform(0.1, 5)),
            "receiver killed": lambda: receiving.process.kill(),
            "receiver stopped": lambda: stopped(receiving.process, chance.uniform(0.1, 8)),
            "connections cut": lambda: passing.process.kill(),
            "network silent": lambda: stopped(passing.process, chance.choice([1, 3, 8, 33])),
            "journald killed": journal.crash,
            "journald stopped": lambda: stopped(journal.process, chance.uniform(0.1, 3)),
            "journal rotated": lambda: journal.process.send_signal(signal.SIGUSR2),
            "disk full": lambda: filled(state, chance.uniform(0.5, 5)),
        }
        seconds = options.minutes * 60 * 0.9
        writer = threading.Thread(target=write, args=(journal, options.entries, seconds, options.seed), daemon=True)
        writer.start()
        begin = time.monotonic()
        while writer.is_alive():
            time.sleep(chance.uniform(0.1, options.pause))
            name = chance.choice(options.only.split(",") if options.only else list(faults))
            counts[name] += 1
            faults[name]()
            if chance.random() < 0.05:
                print(f"{time.monotonic() - begin:.0f} s: {sum(counts.values())} faults", flush=True)
        sending.end()
        print("all is written; the rest is sent", flush=True)
        last = subprocess.run(
            [*words[:-1], "--no-follow", words[-1]], stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=1800
        ).returncode
        for child in children:
            child.isWanted = False
        wrong = judge(folder, journal, state, children, counts, last)
        return int(wrong)
    finally:
        for child in children:
            if child.process.poll() is None:
                child.end()
        journal.remove(keepsFiles=options.keep and wrong)
        subprocess.run(["umount", state], check=False)
        print(f"the sender's messages: {folder}/sender.log")


def judge(folder, journal, state, children, counts, last):
    """Compares the journal with what arrived. Answers whether something is wrong."""
    reading = subprocess.run(
        ["journalctl", "-D", journal.files, "-o", "json", "--output-fields=NUMBER", "-q", "--no-pager"], capture_output=True
    )
    written = {int(entry["NUMBER"]) for entry in map(json.loads, reading.stdout.splitlines()) if "NUMBER" in entry}
    stored, rejected = numbers(folder / "stored"), numbers(folder / "rejected")
    dead = (state / "cursor.refused").read_text().count("\n") if (state / "cursor.refused").exists() else 0
    answers = collections.Counter(line.split()[0] for line in (folder / "answers").read_text().splitlines())
    missing = sorted(written - stored.keys() - rejected.keys())
    strange = sorted(stored.keys() - written)
    twice = sum(stored.values()) - len(stored)
    ends = sum(sum(child.statuses.values()) for child in children[:1]) + sum(children[2].statuses.values())
    unheard = sum(answers[name] for name in ("reset", "hang", "late"))
    allowed = ends * WINDOW + (unheard + counts["connections cut"] + counts["network silent"]) * 4 * BATCH
    rotations = len(list(journal.files.glob("*.journal"))) - 1
    for title, value in [
        ("entries in the journal", len(written)), ("rotations", rotations), ("arrived", len(stored)),
        ("rejected by partial success", len(rejected)), ("refused and recorded", dead), ("missing", len(missing)),
        ("arrived, not in the journal", len(strange)), (f"arrived again (at most {allowed} are explained)", twice),
        ("answers", dict(answers)), ("faults", dict(counts)),
        ("how the sender ended", dict(children[2].statuses)), ("the last run's status", last),
    ]:
        print(f"{title}: {value}")
    strays = {status for status in children[2].statuses if status not in (-9, -15, 0, 3, 143)}
    good = not missing and not strange and twice <= allowed and last in (0, 1) and not strays and written
    if missing:
        print(f"missing: {missing[:200]}")
    print("everything arrived" if good else "NOT everything is as it must be")
    return not good


if __name__ == "__main__":
    if sys.argv[1:2] == ["receiver"]:
        receiver(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["relay"]:
        relay(int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main())
