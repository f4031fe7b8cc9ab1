"""An OpenTelemetry receiver that writes down the ids of the records it takes, and what compares them with the journal.

collector.py serve FILE [NUMBER]   takes records on port 4318; acknowledges the record with that number without writing it down
collector.py check FILE SECONDS    waits so long until all entries that the journal has now are there; prints what is seen as JSON
"""
import gzip
import http.server
import json
import os
import subprocess
import sys
import threading
import time


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def members(data, wanted):
    """The values of a message's field that have a length."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            _, at = varint(data, at)
        elif tag & 7 == 2:
            length, at = varint(data, at)
            if tag >> 3 == wanted:
                yield data[at:at + length]
            at += length
        else:
            at += 8 if tag & 7 == 1 else 4


def ids(request):
    for logs in members(request, 1):
        for scope in members(logs, 2):
            for record in members(scope, 2):
                for attribute in members(record, 6):
                    if next(members(attribute, 1)) == b"log.record.uid":
                        yield next(members(next(members(attribute, 2)), 1)).decode()


def serve(path, left_out):
    taken, writing = 0, threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            nonlocal taken
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                data = gzip.decompress(data)
            # Several requests come at a time.
            with writing, open(path, "a") as file:
                for name in ids(data):
                    taken += 1
                    if taken != left_out:
                        print(name, file=file)
                file.flush()
                os.fsync(file.fileno())
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

    Server(("127.0.0.1", 4318), Handler).serve_forever()


def check(path, patience):
    subprocess.run(["journalctl", "--sync"], check=True)
    lines = subprocess.run(
        ["journalctl", "-q", "--no-pager", "-o", "json", "--output-fields=_BOOT_ID"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    entries = [json.loads(line) for line in lines]
    cursors = {entry["__CURSOR"] for entry in entries}
    end = time.monotonic() + patience
    while True:
        with open(path) as file:
            stored = file.read().split()
        missing = cursors - set(stored)
        if not missing or time.monotonic() > end:
            break
        time.sleep(1)
    boots = len({entry["_BOOT_ID"] for entry in entries})
    seen = {"entries": len(cursors), "boots": boots, "missing": sorted(missing), "twice": len(stored) - len(set(stored))}
    print(json.dumps(seen))


if sys.argv[1] == "serve":
    serve(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)
else:
    check(sys.argv[2], float(sys.argv[3]))
