"""Writes numbered entries to journald, and knows what each of them has.

usage: numbered.py RUN COUNT RATE PLACE [--namespace NAME] [--sync EACH] [--first NUMBER]

RUN is the identifier of the entries, RATE the most of them in a second. PLACE is a file with two numbers: of the last entry that was
sent, and of the last one of which journald said that it is on the disk. It is asked for that after each EACH entries.
"""
import argparse
import os
import socket
import time


def fields(run, number):
    """The fields that the writer gives to an entry. Journald compresses those from 512 bytes on."""
    given = {
        "SYSLOG_IDENTIFIER": run, "PRIORITY": str(number % 8), "NUMBER": str(number), "GROUP": f"group {number % 5}",
        "MESSAGE": f"entry {number} of {run}", "SQUARE": str(number * number),
    }
    if number % 10 == 0:
        given["MIDDLE"] = f"{number} of {run} " * (1000 // len(run))
    if number % 100 == 0:
        given["LARGE"] = f"{number} squared is {number * number}. " * 600
    return given


def synchronize():
    """What `journalctl --sync` does: returns once all that was sent before is on the disk."""
    with socket.socket(socket.AF_UNIX) as varlink:
        varlink.connect("/run/systemd/journal/io.systemd.journal")
        varlink.sendall(b'{"method":"io.systemd.Journal.Synchronize","parameters":{}}\0')
        answer = b""
        while not answer.endswith(b"\0"):
            part = varlink.recv(4096)
            if not part:
                return False
            answer += part
        return b'"error"' not in answer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run")
    parser.add_argument("count", type=int)
    parser.add_argument("rate", type=int)
    parser.add_argument("place")
    parser.add_argument("--namespace")
    parser.add_argument("--sync", type=int)
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    journal.connect(f"/run/systemd/journal{'.' + arguments.namespace if arguments.namespace else ''}/socket")
    place = os.open(arguments.place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    begun, synced = time.monotonic(), 0
    for number in range(arguments.first, arguments.count + 1):
        journal.send("".join(f"{name}={value}\n" for name, value in fields(arguments.run, number).items()).encode())
        if number % 20 and number != arguments.count:
            continue
        if arguments.sync and number % arguments.sync == 0 and synchronize():
            synced = number
        os.pwrite(place, f"{number:12} {synced:12}\n".encode(), 0)
        time.sleep(max(0, begun + (number - arguments.first) / arguments.rate - time.monotonic()))


if __name__ == "__main__":
    main()
