"""Runs inside a machine: writes to the journal, and asks a NATS server about its stream, in plain text over TCP.

forward.py write NAME COUNT PER_SECOND    writes entries
forward.py stream MAX_BYTES               makes the stream, or changes it
forward.py state NUMBER                   prints the stream's state, and the id of a message, or of the last one
forward.py check SECONDS                  waits until the stream has what the journal has, and prints how they differ
"""
import base64
import collections
import json
import socket
import subprocess
import sys
import time

NAME, SUBJECT = "JOURNAL", "journal.machine"


class Server:
    def __init__(self):
        self.file = socket.create_connection(("127.0.0.1", 4222), 60).makefile("rwb")
        self.file.readline()
        self.file.write(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB answers.* 1\r\nPING\r\n')
        self.file.flush()
        while self.file.readline() != b"PONG\r\n":
            pass

    def ask(self, requests):
        """The answers to requests of JetStream's API, which are pairs of a name and an object."""
        for number, (name, value) in enumerate(requests):
            text = json.dumps(value).encode()
            self.file.write(f"PUB $JS.API.{name} answers.{number} {len(text)}\r\n".encode() + text + b"\r\n")
        self.file.flush()
        answers = {}
        while len(answers) < len(requests):
            verb, *words = self.file.readline().split()
            if verb == b"PING":
                self.file.write(b"PONG\r\n")
                self.file.flush()
            elif verb in (b"MSG", b"HMSG"):
                body = self.file.read(int(words[-1]) + 2)
                # A message with a header here says that nobody answers.
                answers[int(words[0].split(b".")[1])] = json.loads(body) if verb == b"MSG" else {"error": body.decode()}
            elif verb != b"+OK":
                sys.exit(f"the server says {verb} {words}")
        return [answers[number] for number in range(len(requests))]

    def need(self, name, value):
        answer, = self.ask([(name, value)])
        if "error" in answer:
            sys.exit(f"{name}: {answer['error']}")
        return answer

    def state(self):
        return self.need(f"STREAM.INFO.{NAME}", {})["state"]

    def messages(self, first, last):
        """The number, the id and the object of each message."""
        for start in range(first, last + 1, 100):
            numbers = range(start, min(start + 100, last + 1))
            for number, answer in zip(numbers, self.ask([(f"STREAM.MSG.GET.{NAME}", {"seq": number}) for number in numbers])):
                if "message" in answer:
                    headers = base64.b64decode(answer["message"].get("hdrs", "")).decode().split("\r\n")
                    named = [line.split(":", 1)[1].strip() for line in headers if line.startswith("Nats-Msg-Id:")]
                    yield number, named[0] if named else None, json.loads(base64.b64decode(answer["message"]["data"]))


def write(name, count, per_second):
    """Entries with a text, with bytes that are no text, and now and then with much of them."""
    journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    journal.connect("/run/systemd/journal/socket")
    begun = time.monotonic()
    for number in range(count):
        data = bytes(range(256)) * (20 if number % 50 == 0 else 1)
        journal.send(
            f"MESSAGE={name} {number}\nSYSLOG_IDENTIFIER=writer\nPRIORITY=6\nNUMBER={number}\nDATA\n".encode()
            + len(data).to_bytes(8, "little") + data + b"\n"
        )
        time.sleep(max(0, begun + (number + 1) / per_second - time.monotonic()))


def stream(max_bytes):
    server = Server()
    names = server.need("STREAM.NAMES", {}).get("streams") or []
    server.need(
        f"STREAM.{'UPDATE' if NAME in names else 'CREATE'}.{NAME}",
        {"name": NAME, "subjects": [SUBJECT], "storage": "file", "discard": "new", "max_bytes": max_bytes, "num_replicas": 1},
    )


def journal():
    """The entries of all boots by their cursors."""
    text = subprocess.run(["journalctl", "-a", "-o", "json", "--no-pager"], capture_output=True, check=True).stdout
    return {entry["__CURSOR"]: entry for entry in map(json.loads, text.splitlines())}


def is_different(message, entry):
    """journalctl writes the sequence number since version 254, and forward always."""
    return {name: value for name, value in message.items() if name in entry or not name.startswith("__SEQNUM")} != entry


def check(seconds):
    server, entries, messages = Server(), journal(), []
    known, end = set(), time.monotonic() + seconds
    while True:
        state = server.state()
        messages += server.messages(messages[-1][0] + 1 if messages else 1, state["last_seq"])
        known.update(cursor for _, cursor, _ in messages)
        if entries.keys() <= known or time.monotonic() > end:
            break
        time.sleep(0.5)
    everything = entries | journal()
    ids = collections.Counter(cursor for _, cursor, _ in messages)
    cursors = collections.Counter(message["__CURSOR"] for _, _, message in messages)
    shown = subprocess.run(
        ["busctl-rx", "tail", "--from", f"nats://127.0.0.1:4222/{SUBJECT}?from=first", "--no-follow", "-n", "all", "-o", "json"],
        capture_output=True,
    )
    tail = [json.loads(line)["fields"]["__CURSOR"] for line in shown.stdout.splitlines()]
    print(json.dumps({
        "entries": collections.Counter(entry["_BOOT_ID"] for entry in entries.values()),
        "messages": len(messages), "last": messages[-1][0], "counted": [state["messages"], state["last_seq"]],
        "missing": [entries[cursor] for cursor in entries if cursor not in known],
        "twice": [cursor for cursor, count in (ids | cursors).items() if count > 1],
        "wrong id": [number for number, cursor, message in messages if cursor != message["__CURSOR"]],
        "different": [
            (message, entries[message["__CURSOR"]])
            for _, _, message in messages
            if is_different(message, entries.get(message["__CURSOR"], message))
        ],
        "not in the journal": collections.Counter(
            message["_BOOT_ID"] for _, _, message in messages if message["__CURSOR"] not in everything
        ),
        "tail": [tail[:len(messages)] == [cursor for _, cursor, _ in messages], shown.stderr.decode()],
    }))


def main():
    verb, *words = sys.argv[1:]
    if verb == "write":
        write(words[0], int(words[1]), float(words[2]))
    elif verb == "stream":
        stream(int(words[0]))
    elif verb == "state":
        server = Server()
        state = server.state()
        number = int(words[0]) or state["last_seq"]
        print(json.dumps(state | {"id": next((name for _, name, _ in server.messages(number, number)), None)}))
    else:
        check(float(words[0]))


main()
