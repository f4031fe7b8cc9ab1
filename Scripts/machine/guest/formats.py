"""Runs inside a machine: writes the same entries in each form of journal files that this systemd can write, and compares what is read.
So it does with the journals of other machines that it finds in /payload.

Prints one line of JSON for each difference, and one with the forms that were written and the journals that were found.
"""
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile

CHOICES = [[], ["-r", "-n", "50"], ["_PID=1"], ["SIZE=20000"], ["-t", "formats", "-n", "7"], ["PRIORITY=3", "+", "SIZE=10", "-n", "20"]]


def field(name, value):
    return name + b"\n" + len(value).to_bytes(8, "little") + value + b"\n"


def made(number, size):
    """An entry whose values take and resist compression, and may be binary."""
    head = f"__REALTIME_TIMESTAMP={1_900_000_000_000_000 + number}\n__MONOTONIC_TIMESTAMP={number + 1}\n_BOOT_ID={'ab' * 16}\n".encode()
    values = [(b"MESSAGE", b"entry %d of %d bytes" % (number, size)), (b"SYSLOG_IDENTIFIER", b"formats")]
    values += [(b"PRIORITY", b"%d" % (number % 8)), (b"SIZE", b"%d" % size)]
    values += [(b"EVEN", b"ab" * (size // 2)), (b"RANDOM", os.urandom(size)), (b"TWICE", b"1"), (b"TWICE", b"2")]
    return head + b"".join(field(*value) for value in values) + b"\n"


def fields(out):
    """The fields of an export stream, whose order says nothing."""
    entries, place, entry = [], 0, []
    while place < len(out):
        end = out.index(b"\n", place)
        line, place = out[place:end], end + 1
        if not line:
            entries, entry = entries + [sorted(entry)], []
        elif b"=" in line:
            entry.append(line)
        else:
            size = int.from_bytes(out[place:place + 8], "little")
            entry.append(line + b"=" + out[place + 8:place + 8 + size])
            place += 8 + size + 1
    # An older journalctl has no sequence numbers.
    return [[line for line in entry if not line.startswith(b"__SEQNUM")] for entry in entries]


def output(program, *argv):
    done = subprocess.run(program + [*argv, "-o", "export"], capture_output=True)
    return fields(done.stdout), done


def compare(form, *source):
    """How many of the choices have something to compare, and how many entries in all."""
    count = total = 0
    for choice in CHOICES:
        ours, mine = output(["busctl-rx", "tail", "--no-follow", *source], *choice)
        theirs, its = output(["journalctl", "--no-pager", "-q", *source], *choice)
        total += len(theirs)
        count += bool(theirs)
        if ours != theirs or mine.stderr or mine.returncode != (0 if theirs else 1):
            place = next((place for place, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
            parts = [str(entries[place:place + 1])[:300] for entries in (ours, theirs)]
            difference = f"status {mine.returncode}; {len(ours)} entries, not {len(theirs)}; entry {place}: "
            difference += f"{parts[0]} is not {parts[1]}; "
            print(json.dumps({"form": form, "options": choice, "difference": difference + mine.stderr.decode()[:300]}))
    return count, total


def main():
    live = subprocess.run(["journalctl", "-o", "export", "-n", "1500"], capture_output=True, check=True).stdout
    source = live + b"".join(made(number, size) for number, size in enumerate([10, 511, 512, 513, 4_000, 20_000] * 20 + [300_000] * 3))
    # A program that writes journals of its own adds no trusted fields.
    bare = re.sub(rb"(?m)^_(?!_|BOOT_ID)[A-Z_]+=.*\n", b"", live)
    forms, written, count = {}, set(), 0
    for keyed, compact, compression, text in itertools.product("01", "01", ["NONE", "XZ", "LZ4", "ZSTD"], [source, bare]):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "made.journal")
            environment = os.environ | {
                "SYSTEMD_JOURNAL_KEYED_HASH": keyed, "SYSTEMD_JOURNAL_COMPACT": compact, "SYSTEMD_JOURNAL_COMPRESS": compression,
            }
            remote = ["/lib/systemd/systemd-journal-remote", "-o", path, "-"]
            subprocess.run(remote, input=text, env=environment, capture_output=True, check=True)
            header = subprocess.run(["journalctl", "--header", "--file", path], capture_output=True, text=True, check=True).stdout
            form = " ".join(re.search(r"Incompatible flags:(.*)", header)[1].split()) or "plain"
            # Older versions know one compression.
            if (form, text is bare) in written:
                continue
            written.add((form, text is bare))
            compared, total = compare(form, "--file", path)
            count, forms[form] = count + compared, forms.get(form, 0) + total
    others = {}
    for archive in sorted(pathlib.Path("/payload").glob("*.journals.tar.gz")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["tar", "xzf", archive, "-C", folder], check=True)
            name = archive.name.split(".")[0]
            _, others[name] = compare(f"the journal of {name}", "--directory", folder)
    print(json.dumps({"forms": forms, "files": len(written), "comparisons": count, "others": others}))


main()
