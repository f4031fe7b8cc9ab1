#!/usr/bin/env python3
"""Compares what two builds of busctl-rx say: Scripts/compare-runs.py BEFORE AFTER

Runs some hundred command lines with both, on the sample that ships, and shows where output, messages or exit status differ. Exits
with 1 if they do anywhere. Needs systemd-journal-remote, which makes a journal of the sample.
"""

import difflib
import itertools
import os
import subprocess
import sys
import tempfile

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Examples", "sample.export")

JSON = """{"time":"2026-11-23T10:00:00Z","level":"info","msg":"started","port":8080}
{"time":"2026-11-23T10:00:01.5Z","level":"error","msg":"refused","status":503,"user":{"id":7}}
not json
{"ts":1763892002,"severity":"warning","message":"slow","ms":412.5}
{"time":"2026-11-23T10:00:03Z","level":"error","msg":"refused","status":502}
"""
LOGFMT = """time=2026-11-23T10:00:00Z level=info msg="it is up" port=8080
level=error msg=refused status=503
"""
LINES = """2026-11-23T10:00:00Z nginx: started
plain text
2026-11-23T10:00:05+01:00 nginx: stopped
"""


def invocations():
    tail = lambda *words: ["tail", "--no-config", *words]
    files = ["json:app.json", "logfmt:app.logfmt", "lines:app.log", "export:sample.export", "file:sample.journal", "directory:."]
    # Everything there is, in every form.
    for source, output in itertools.product(
        files, ["short", "short-iso", "short-full", "verbose", "cat", "json", "json-pretty", "json-sse", "json-seq", "logfmt", "export", "with-unit", "bogus"]
    ):
        yield tail("--from", source, "--no-follow", "--utc", "-o", output, "-n", "20")
    for source, words in itertools.product(
        files,
        [["-r"], ["-r", "-n", "2"], ["-n", "1"], ["-n", "0"], ["-n", "all"], ["--count", "2"], ["-C", "1", "-g", "refused|failed"], ["-e"],
         ["--statistics"], ["--filter-stats", "true"], ["--template", "{time:iso} {source} {message}"], ["--skew", "json=+5s"],
         ["--order-window", "0"], ["--by", "severity", "--throttle", "1h"], ["-S", "2026-11-23 10:00:01 UTC"], ["-U", "2026-11-23 10:00:01 UTC"],
         ["--expect", "severity <= err"], ["--absent", "severity <= emerg"], ["--after-match", "true"], ["severity <= err"], ["bogus == 1"],
         ["time >"], ["-p", "err"], ["-u", "nginx"], ["-b"], ["--show-cursor"], ["--reconnect"], ["--monitor"], ["--match", "type='signal'"],
         ["--match", "type="], ["--curl-config", "x"], ["--output-fields", "message,severity", "-o", "json"], ["--output-fields", "nothing.there"]],
    ):
        yield tail("--from", source, "--no-follow", "--utc", *words)
    # Several at a time.
    for words in [[], ["source == 'json' or severity <= err"], ["-o", "json"], ["-n", "3"], ["-r"], ["--skew", "json=-1h"], ["--skew", "web=1s"], ["--distinct"]]:
        yield tail("--from", "json:app.json", "--from", "logfmt:app.logfmt", "--label", "web=lines:app.log", "--no-follow", "--utc", *words)
    yield tail("--from", "json:app.json", "--from", "json:app.json", "--no-follow", "--utc", "-o", "json")
    yield tail("--label", "a=json:app.json", "--label", "a=lines:app.log", "--no-follow")
    # Sources as they should not be typed.
    for source in ["", "bogus", "bogus:x", "jsn:app.json", "json", "json:", "json:missing", "journal:x", "file:", "signals:", "signals:INT", "signals:NOPE", "signals:HUP,,",
                   "every:", "every:0s", "every:5", "every:200y", "calendar:", "calendar:nope", "run:", "run:'", "run:true", "run:false", "run:/nothing/there", "run:'echo a; echo b'",
                   "unix:", "unix:nobody", "unix:/nothing", "dbus:", "dbus:bogus", "dbus:unix:path=/nothing", "nats:", "nats://", "nats://127.0.0.1:1", "nats://127.0.0.1:1/a?from=x",
                   "nats://127.0.0.1:1/a?bogus=1", "ssh:", "ssh:-x", "ssh:a b", "ssh:h:99999", "https:", "https://", "https://h?x", "https://u@h", "http://h:0", "changes:", "changes:/nothing",
                   "export:missing", "namespace:nothing", "directory:/nothing", "lines:packed.gz"]:
        yield tail("--from", source, "--no-follow")
        yield ["explain", "--from", source, "true"]
        yield ["count", "--from", source]
    for source in ["dbus:system", "nats://127.0.0.1:1/a", "unix:/nothing", "every:1s", "changes:.", "signals:HUP"]:
        for words in [["-r"], ["-n", "1"], ["--reconnect", "--no-follow"], ["--match", "type='method_call'"], ["--skew", "dbus=1s"], ["message == 'x' && bogus"]]:
            yield tail("--from", source, *words, "--no-follow")
        yield ["explain", "--from", source, "severity <= err && message == 'x'"]
    for source in ["dbus:system", "ssh:web-1", "https://web-1:19531"]:
        for filter in ["unit == 'nginx.service'", "priority <= err", "member == 'Ping'", "path == '/a' || member == 'B'", "age < duration('1h')", "PRIORITY == 3"]:
            yield ["explain", "--from", source, filter]
            yield ["explain", "--from", source, "--label", "x=" + source, filter]
    yield ["explain", "--from", "dbus:system", "--monitor", "member == 'Ping'"]
    yield ["explain", "--from", "dbus:system", "--match", "type='signal',member='A'", "path == '/a'"]
    for words in [["--by", "severity"], ["--by", "level"], ["--every", "1s"], ["--every", "1x"], ["--by", "nothing.there"], ["-o", "json"], ["-o", "bogus"], ["--top", "0"]]:
        for source in ["json:app.json", "file:sample.journal", "lines:app.log"]:
            yield ["count", "--from", source, "--utc", *words]
    for words in [["--delay", "0"], ["--rate", "x"], ["--rate", "1/s"], ["--since", "nope"], ["--until", "tomorrow"], ["--timeout", "1"], ["--label", "x"], ["--label", "=json:a"],
                  ["--skew", "json"], ["--order-window", "x"], ["--exec", "nothing-there"], ["--exec", "true"], ["--file", ""], ["-D", "a", "-D", "b"], ["--root", "/", "--file", "x"]]:
        yield tail("--from", "json:app.json", "--no-follow", *words)
        yield tail("--no-follow", *words)
    yield ["sources"]
    for words in [[], ["-h"], ["--help"], ["--version"], ["--bogus"], ["sources", "x"], ["inspect", "/nothing"], ["post", "/nothing", "a"], ["forward"],
                  ["forward", "--to", "x"], ["forward", "--to", "nats://127.0.0.1:1", "--subject", "a", "--cursor-file", "c", "--from", "json:x"]]:
        yield words
    for command in ["tail", "count", "explain", "sources", "inspect", "post", "forward"]:
        yield [command, "-h"]
        yield [command, "--help"]
    for line in ["tail --from ", "tail --from j", "tail --from json:", "tail --from dbus:", "tail --label x=n", "tail --curl-config ", "tail --match ", "count --from json:app.json --by ",
                 "tail --from directory:", "tail --from ssh:", "forward --from "]:
        yield ["---complete", "bash", *line.split(" ")]


def run(program, words, folder):
    environment = {"PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": folder, "COLUMNS": "100"}
    try:
        done = subprocess.run([program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    except subprocess.TimeoutExpired as late:
        return "no end", (late.stdout or b"").decode(errors="replace"), (late.stderr or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def main():
    before, after = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        for name, text in [("app.json", JSON), ("app.logfmt", LOGFMT), ("app.log", LINES), ("sample.export", open(SAMPLE).read())]:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        with open(os.path.join(folder, "packed.gz"), "wb") as file:
            file.write(b"\x1f\x8b\x08")
        subprocess.run(["/lib/systemd/systemd-journal-remote", f"--output={folder}/sample.journal", SAMPLE], check=True, capture_output=True)
        count = different = 0
        for words in invocations():
            count += 1
            first, second = run(before, words, folder), run(after, words, folder)
            if first == second:
                continue
            different += 1
            print("==", *[word if word and " " not in word else repr(word) for word in words])
            for name, old, new in zip(["status", "output", "messages"], first, second):
                if old != new:
                    lines = difflib.unified_diff(str(old).splitlines(), str(new).splitlines(), f"{name} before", f"{name} after", n=0, lineterm="")
                    print("\n".join(list(lines)[:24]))
        print(f"{count} command lines, {different} with differences")
        sys.exit(different > 0)


main()
