"""Runs inside a machine: what followers have shown of numbered entries, compared with what journalctl can read afterwards.

usage: follow.py JOURNAL RUN COUNT FOLLOWER ...

JOURNAL is a folder with the journal's files, those among them that were deleted since. The output of each FOLLOWER is in
/var/follow/FOLLOWER.out, its errors are in FOLLOWER.err. Followers that write the export format are judged by cursors.

Prints a line of JSON: findings, and figures.
"""
import json
import re
import subprocess
import sys

findings = []
figures = {}


def find(text):
    findings.append(text)


def places(text, run):
    """The entries of an export, in order: for each, the source of its sequence number, that number, and the number of the writer."""
    shown = []
    for part in text.split(b"\n\n"):
        if cursor := re.search(rb"^__CURSOR=s=(\w+);i=(\w+);", part, re.M):
            number = re.search(rb"^NUMBER=(\d+)$", part, re.M)
            is_own = b"\nSYSLOG_IDENTIFIER=" + run.encode() + b"\n" in b"\n" + part + b"\n"
            shown.append((cursor[1].decode(), int(cursor[2], 16), int(number[1]) if number and is_own else None))
    return shown


def twice(values):
    seen = set()
    return [value for value in values if value in seen or seen.add(value)]


def backwards(numbers):
    return [pair for pair in zip(numbers, numbers[1:]) if pair[0] > pair[1]][:3]


def main():
    folder, run, count, *followers = sys.argv[1:]
    count = int(count)
    choice = ["-D", folder, "-q", "--no-pager", "-o", "export", "--output-fields=NUMBER,SYSLOG_IDENTIFIER"]
    read = places(subprocess.run(["journalctl", *choice], stdout=subprocess.PIPE, check=True).stdout, run)
    numbers = {number for _, _, number in read if number is not None}
    figures.update(readable=len(numbers), followers={})
    for name in followers:
        with open(f"/var/follow/{name}.out", "rb") as file:
            out = file.read()
        with open(f"/var/follow/{name}.err", encoding="utf-8", errors="replace") as file:
            errors = file.read()
        gaps = re.findall(r"(?:(\d+) entr(?:y is|ies are)|entries may be) missing here", errors)
        said = sum(int(lost or 0) for lost in gaps)
        if out.startswith(b"__CURSOR="):
            shown = places(out, run)
            mine = [number for _, _, number in shown if number is not None]
            if again := twice(place[:2] for place in shown):
                find(f"{name}: {len(again)} entries come twice, as {again[0]}")
            first = {}
            holes = 0
            for source in {place[0] for place in shown}:
                sequence = [place[1] for place in shown if place[0] == source]
                first[source] = sequence[0]
                holes += max(sequence) - min(sequence) + 1 - len(set(sequence))
                if sequence != sorted(sequence):
                    find(f"{name}: not in the order of sequence numbers: {backwards(sequence)}")
            # Of a source that it never showed, at least the writer's entries are missing.
            missing = {at for at in read if (at[1] > first[at[0]] if at[0] in first else at[2] is not None)} - set(shown)
            # The journal may have grown after the follower was stopped.
            missing = {place for place in missing if place[2] is not None or place[1] < max(at[1] for at in shown if at[0] == place[0])}
            if said < len(missing) or said > max(holes, len(missing)):
                find(
                    f"{name}: {len(missing)} entries are missing, as {sorted(missing, key=str)[:3]}; {holes} sequence numbers are; "
                    f"{said} are said to be: {errors[:500]}"
                )
        else:
            mine = [int(number) for number in re.findall(rb"entry (\d+) of " + re.escape(run.encode()) + rb"\b", out)]
            missing = numbers - set(mine)
            # A gap without a number excuses any, one with a number only so many.
            if len(missing) > said and all(gaps):
                find(f"{name}: {len(missing)} entries are missing, as {min(missing)}, and {said} are said to be")
        if again := twice(mine):
            find(f"{name}: {len(again)} numbers come twice, as {again[0]}")
        if mine != sorted(mine):
            find(f"{name}: not in order: {backwards(mine)}")
        if strange := set(mine) - set(range(1, count + 1)):
            find(f"{name}: shows numbers that were not written: {sorted(strange)[:3]}")
        if not mine:
            find(f"{name}: shows nothing: {errors[:500]}")
        if noise := [line for line in errors.splitlines() if "missing here" not in line and "no entry is missing" not in line]:
            find(f"{name}: says {noise[:3]}")
        figures["followers"][name] = {"shown": len(mine), "missing": len(missing), "said": said, "more": len(set(mine) - numbers)}
    figures["lost"] = count - len(numbers)
    print(json.dumps({"findings": findings, **figures}))


main()
