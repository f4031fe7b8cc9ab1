"""Runs inside a machine: each line of JSON that comes through the port is a command, and its result is one that goes back."""
import base64
import json
import os
import subprocess
import sys
import threading
import time

# udev may be slow to name it.
while not os.path.exists("/dev/virtio-ports/agent"):
    time.sleep(0.1)
port = os.open("/dev/virtio-ports/agent", os.O_RDWR)
lock = threading.Lock()


def send(value):
    line = json.dumps(value).encode() + b"\n"
    with lock:
        while line:
            line = line[os.write(port, line):]


def run(request):
    try:
        done = subprocess.run(request["argv"], input=request["input"].encode(), capture_output=True, timeout=request["timeout"])
        status, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as error:
        status, out, err = 124, error.stdout or b"", (error.stderr or b"") + f"\nno end after {error.timeout} s".encode()
    except OSError as error:
        status, out, err = 127, b"", str(error).encode()
    send({"id": request["id"], "status": status, "out": base64.b64encode(out).decode(), "err": base64.b64encode(err).decode()})


send({"id": 0})
pending = b""
while True:
    received = os.read(port, 1 << 16)
    if not received:
        sys.exit("the port is closed")
    *lines, pending = (pending + received).split(b"\n")
    for line in lines:
        threading.Thread(target=run, args=(json.loads(line),), daemon=True).start()
