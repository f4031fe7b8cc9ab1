"""Runs inside a machine: what journalctl and `busctl-rx tail` show of the boot before this one, in which numbered.py wrote.

usage: power.py RUN BOOT SYNCED

Prints a line of JSON: findings, and figures. An entry is known by its cursor. busctl-rx has to show each entry that journalctl shows,
and may show more, if they are what was written. What it cannot show it has to say.
"""
import glob
import json
import os
import re
import subprocess
import sys
import time

from numbered import fields

SEEN = "/var/tmp/seen"
findings = []
figures = {"more": 0, "said": 0, "torn": 0, "empty": 0}
# What journalctl makes of an entry's head.
HEAD = (b"__", b"_BOOT_ID=")


def find(text):
    findings.append(text)


def output(*argv):
    done = subprocess.run(argv, capture_output=True, env={**os.environ, "TZ": "UTC"}, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def entries(text):
    """The entries of an export by their cursors, in order: for each, its lines in order. Newer versions alone write __SEQNUM."""
    shown = []
    for part in text.split(b"\n\n"):
        lines = sorted(line for line in part.strip(b"\n").split(b"\n") if not line.startswith(b"__SEQNUM"))
        if part.lstrip(b"\n").startswith(b"__CURSOR="):
            shown.append((lines[[line.startswith(b"__CURSOR=") for line in lines].index(True)], lines))
        elif lines != [b""]:
            # A binary value had an empty line.
            shown[-1][1].extend(lines)
    return shown


def number_of(lines):
    """The number of an entry of the writer, from any of the fields that have it."""
    for line in lines:
        if match := re.match(rb"NUMBER=(\d+)$|MESSAGE=entry (\d+) of ", line):
            return int(match[1] or match[2])
    return None


def check_truth(run, lines, where, is_said):
    """Whether an entry is what the writer wrote. Fields may be missing where that is said."""
    number = number_of(lines)
    written = {f"{name}={value}".encode() for name, value in fields(run, number).items()}
    here = {line for line in lines if line.partition(b"=")[0] in {name.partition(b"=")[0] for name in written}}
    if wrong := here - written:
        find(f"{where}: entry {number} has {min(wrong)[:200]}, which was not written")
    elif here != written:
        figures["torn"] += 1
        if not is_said:
            find(f"{where}: entry {number} has no {min(written - here)[:60]}, and nothing says so")


def compare(run, where, *choice):
    """How many entries busctl-rx shows, the writer's numbers that journalctl and busctl-rx show, and how many are said to be missing."""
    _, its, _ = output("journalctl", "-q", "--no-pager", "-o", "export", *choice)
    status, ours, errors = output("busctl-rx", "tail", "--no-follow", "-o", "export", *choice)
    its, ours = entries(its), entries(ours)
    if status != (0 if ours else 1):
        find(f"{where}: status {status} with {len(ours)} entries: {errors[:300]}")
    theirs, mine = dict(its), dict(ours)
    if len(mine) != len(ours):
        find(f"{where}: {len(ours) - len(mine)} entries come twice")
    # Of these the head alone has reached the disk. They are missing, and have to be said.
    empty = {cursor for cursor in theirs.keys() - mine.keys() if all(line.startswith(HEAD) for line in theirs[cursor])}
    figures["empty"] += len(empty)
    if empty and "missing here" not in errors:
        find(f"{where}: {len(empty)} entries have no field, as {min(empty)}, and nothing is said to be missing: {errors[:300]}")
    if lacking := theirs.keys() - mine.keys() - empty:
        example = str(theirs[min(lacking)])[:1000]
        find(f"{where}: {len(lacking)} of {len(theirs)} entries of journalctl are not shown, as {example}; {errors[:300]}")
    order = [cursor for cursor, _ in ours if cursor in theirs]
    if order != [cursor for cursor, _ in its if cursor in mine]:
        find(f"{where}: the order is not that of journalctl")
    is_said = "fields of entries are missing" in errors
    for cursor, lines in mine.items():
        if b"SYSLOG_IDENTIFIER=" + run.encode() in lines and number_of(lines) is not None:
            check_truth(run, lines, where, is_said)
        elif not is_said and not any(re.match(rb"MESSAGE(=|$)", line) for line in lines):
            find(f"{where}: {cursor} has no message, and nothing says so")
        if lines != theirs.get(cursor, lines) and set(theirs[cursor]) - set(lines):
            find(f"{where}: {cursor} lacks {min(set(theirs[cursor]) - set(lines))[:200]}, which journalctl shows")
    numbers = [[number for _, lines in shown if (number := number_of(lines)) is not None] for shown in (its, ours)]
    if len(set(numbers[1])) != len(numbers[1]):
        find(f"{where}: numbers come twice")
    said = sum(int(count) for count in re.findall(r"(\d+) entr(?:y is|ies are) missing here", errors))
    figures["more"] += len(mine.keys() - theirs.keys())
    figures["said"] += said
    first = 1 if choice[0] == "-b" else min(numbers[1], default=1)
    if (holes := set(range(first, max(numbers[1], default=0) + 1)) - set(numbers[1])) and "missing here" not in errors:
        find(f"{where}: {len(holes)} numbers are not shown, as {min(holes)}, up to {max(numbers[1])}, and nothing says so: {errors[:300]}")
    return len(mine), *map(set, numbers), said


def list_boots(boot, has_more):
    lists = []
    for program in (["journalctl", "--no-pager", "--quiet"], ["busctl-rx", "tail"]):
        lines = [line.split() for line in output(*program, "--list-boots")[1].decode().splitlines()]
        lists.append([line for line in lines if line and line[0] != "IDX"])
    its, ours = lists
    if [line[:2] for line in its] != [line[:2] for line in ours] or len(its) < 2 or its[-2][:2] != ["-1", boot]:
        find(f"--list-boots: {ours[-3:]} is not {its[-3:]}, or has no {boot}")
    elif its[-2] != ours[-2] and not has_more:
        # journalctl goes by the file's index of the boot, which may be older on the disk than the entries.
        _, lines, _ = output("journalctl", "-q", "--no-pager", "-o", "json", "--output-fields=_BOOT_ID", "-b", "-1")
        times = sorted(int(json.loads(line)["__REALTIME_TIMESTAMP"]) // 1_000_000 for line in lines.splitlines())
        wanted = " ".join(time.strftime("%a %Y-%m-%d %H:%M:%S UTC", time.gmtime(second)) for second in (times[0], times[-1]))
        if ours[-2][2:] != wanted.split():
            find(f"--list-boots: {ours[-2]} is neither {its[-2]} nor that of the entries, {wanted}")


def main():
    run, boot, synced = sys.argv[1], sys.argv[2], set(range(1, int(sys.argv[3]) + 1))
    _, theirs, ours, _ = compare(run, "-b -1", "-b", "-1")
    figures.update(shown=len(ours), unsynced=len(ours - synced), missing=len(synced - ours - theirs))
    list_boots(boot, figures["more"])
    seen = set(open(SEEN).read().split("\n")) if os.path.exists(SEEN) else set()
    unclosed = set(glob.glob("/var/log/journal/*/system@*.journal~")) - seen
    for path in unclosed:
        shown, _, _, said = compare(run, path, "--file", path)
        header = output("journalctl", "--header", "--file", path)[1].decode()
        claimed = int(re.search(r"(?m)^Entry objects: (\d+)", header)[1])
        # The count on the disk may be older than the entries.
        if shown + said < claimed or said and shown + said != claimed:
            find(f"{path}: {shown} entries shown and {said} said to be missing, of {claimed}")
    with open(SEEN, "a") as file:
        file.writelines(path + "\n" for path in unclosed)
    figures["files"] = len(unclosed)
    print(json.dumps({"findings": findings, **figures}))


main()
