"""Runs inside a machine: compares `busctl-rx tail` with this machine's journalctl, for each set of options and each user.

Prints one line of JSON for each difference, and one with the number of comparisons in which there was something to compare.
"""
import concurrent.futures
import json
import os
import pwd
import re
import subprocess
import sys

OUTPUTS = """short short-precise short-iso short-iso-precise short-full short-monotonic short-unix verbose export json json-pretty
    json-sse json-seq cat with-unit""".split()


def journalctl(*words):
    return subprocess.run(["journalctl", *words], capture_output=True, text=True).stdout


VERSION = int(journalctl("--version").split()[1])
INVOCATION = json.loads(journalctl("-u", "greeter@one", "_PID=1", "-n", "1", "-o", "json"))["INVOCATION_ID"]

CHOICES = [
    [], ["-b"], ["-b", "-1"], ["-b", "-2"], ["-b", "1"], ["-b", "all"], ["-k"], ["-k", "-b", "-1"], ["-k", "-o", "short-monotonic"],
    ["-p", "err"], ["-p", "warning..notice"], ["-p", "3"], ["-n", "20"], ["-n", "5", "-r"], ["-r", "-n", "3", "-b", "-1"],
    ["-n", "0"], ["-n", "1", "-r", "-o", "export"], ["-e", "-n", "7"], ["-u", "dbus"], ["-u", "dbus.service", "-b", "-1"], ["-u", "greeter@*"],
    ["-u", "greeter@one.service"], ["-u", "systemd-*", "-n", "50"], ["-u", "nothing-like-it"], ["-u", "init.scope"],
    ["-t", "kernel", "-n", "10"], ["-t", "systemd"], ["-t", "echo"], ["-t", "none"], ["--facility", "kern"],
    ["--facility", "daemon,user", "-n", "30"], ["-g", "hello"], ["-g", "HELLO"], ["-g", "Hello", "--case-sensitive=no"],
    ["-g", "start(ed|ing)", "-n", "10"], ["-g", "mounted", "-b", "-1"], ["_PID=1"], ["_PID=1", "PRIORITY=6"],
    ["_UID=0", "+", "_UID=1000"], ["_COMM=systemd", "-n", "40"], ["_TRANSPORT=kernel", "-n", "5"], ["_TRANSPORT=journal"],
    ["_TRANSPORT=stdout"], ["MESSAGE_ID=39f53479d3a045ac8e11786248231fbf"], ["_SYSTEMD_SLICE=system.slice", "-n", "15"],
    ["/usr/bin/echo"], ["/usr/lib/systemd/systemd", "-n", "10"], ["/dev/vda", "-n", "5"], ["--system", "-n", "20"],
    ["--user", "-n", "20"], ["--user-unit", "greetings.service"], ["--user-unit", "greet*"], ["-m", "-n", "10"], ["-x", "-n", "30"],
    ["-x", "-u", "greeter@one"], ["-a", "-n", "10", "-o", "json"], ["--utc", "-n", "10"], ["--no-hostname", "-n", "10"],
    ["-q", "-n", "10"], ["--show-cursor", "-n", "1"], ["-S", "-1h", "-n", "10"], ["-S", "today"],
    ["-S", "yesterday", "-n", "3"], ["-S", "2001-01-01", "-n", "3"], ["--output-fields=MESSAGE,_PID", "-o", "verbose", "-n", "8"],
    ["--output-fields=MESSAGE", "-o", "export", "-n", "8"], ["--output-fields=PRIORITY", "-o", "json", "-n", "8"],
    ["-F", "_SYSTEMD_UNIT"], ["-F", "_TRANSPORT"], ["-F", "PRIORITY"], ["-F", "NONE"], ["-N"], ["--list-boots"],
    ["COREDUMP_SIGNAL=11"], ["COREDUMP_SIGNAL=11", "-o", "verbose"], ["-u", "systemd-coredump@*", "-n", "5"],
    ["-t", "systemd-coredump", "-o", "json"],
    ["_SYSTEMD_INVOCATION_ID=" + INVOCATION], ["_SYSTEMD_INVOCATION_ID=" + INVOCATION, "-o", "verbose"],
    *([["-I", "-u", "greeter@one"], ["-u", "greeter@one", "--invocation=-1"], ["-u", "greeter@one", "--invocation=" + INVOCATION],
       ["-u", "greeter@one", "--list-invocations"]] if VERSION >= 257 else []),
    *[["-n", "60", "-o", output] for output in OUTPUTS],
    *[["-b", "-1", "-u", "greeter@*", "-o", output] for output in OUTPUTS],
    *[["-k", "-n", "25", "-r", "-o", output] for output in OUTPUTS],
]

# What may differ: the options that it needs, the options that exclude it, what is said of the difference (a regular expression), and why.
# "Where journalctl does otherwise" in the documentation of JournalBridge has each of them. Nothing else may differ.
ALLOWED = [
    ([], [], "status 1, not 0", "nothing to show: status 1, as grep has it"),
    ([], [], "heading", "nothing to show: no text; lines between boots only where an entry is shown"),
    (["-g", "-n"], [], "order", "the order stays, where journalctl shows the newest first"),
    (["--user"], [], "status 3, not 0", "a journal that is not there is an error"),
    *([(["--user"], [], "content: .* is not -- No entries --", "the messages of root are in the system's journal, where newer ones look, too")]
      if VERSION < 256 else []),
    (["--system"], [], "status 3, not 1", "a journal that cannot be read has a status of its own"),
]

# Sets that are put to journalctl in another way, so that the answers are the same: the options that a set has, those that it has not, the
# options that journalctl and that both get besides, and why.
REPHRASED = [
    (["-k"], ["-b", "-n"], ["-b", "all"], [], "messages of the kernel are of all boots, unless -b is given, too"),
    *([(["-S", "-n"], ["-r"], [], ["-r"], "the newest of them, where journalctl before 254 chooses the oldest, unless it begins at the end")]
      if VERSION < 254 else []),
]

# The choices of which nobody has anything to show.
EMPTY = [["-n", "0"], ["-u", "nothing-like-it"], ["-t", "none"], ["-g", "HELLO"], ["-F", "NONE"]]


def is_for(choice, with_these, without_these):
    return set(with_these) <= set(choice) and not set(without_these) & set(choice)


def output_of(choice):
    return next((choice[place + 1] for place, word in enumerate(choice) if word == "-o"), "short")


def objects(text, output):
    if output == "json-seq":
        parts = text.split("\x1e")
    elif output == "json-sse":
        parts = [part.removeprefix("data: ") for part in text.split("\n\n")]
    elif output == "json-pretty":
        parts = re.split(r"(?<=^})\n", text, flags=re.M)
    else:
        parts = text.split("\n")
    return [json.loads(part) for part in parts if part.strip()]


def content(out, choice):
    """What is compared: members of an object, fields of an entry, and lists of names have no order.

    The formats are those of newer versions: an older journalctl writes no sequence numbers, and an offset without a colon. The time since
    the boot is another one in newer versions, as the documentation says.
    """
    text, output = out.decode("utf-8", "surrogateescape"), output_of(choice)
    if VERSION < 254:
        text = re.sub(r'(?m)^__SEQNUM(_ID)?=.*\n|^\t"__SEQNUM(_ID)?" : .*\n|"__SEQNUM(_ID)?":"[^"]*",', "", text)
    if output.startswith("short-iso") and re.search(r"(?m)^\S*[+-]\d{4} ", text):
        # The further lines of a message are below its beginning.
        text = re.sub(r"(?m)^ {20}", " " * 21, text)
        text = re.sub(r"(?m)^(\S*[+-]\d\d)(\d\d )", r"\1:\2", text)
    if output == "short-monotonic" and VERSION >= 256:
        text = re.sub(r"(?m)^\[ *\d+\.\d{6}\]", "[]", text)
    if output.startswith("json"):
        return objects(text, output)
    if output == "export":
        # Binary values could hold empty lines: then both do.
        return [sorted(entry.split("\n")) for entry in text.split("\n\n")]
    if output == "verbose":
        entries = re.split(r"(?m)^(?=\S)", text)
        return [[entry.split("\n")[0], *sorted(entry.split("\n")[1:])] for entry in entries]
    if choice[0:1] in (["-F"], ["-N"]):
        return sorted(text.split("\n"))
    return [line for line in text.split("\n") if line]


def run(program, user, choice):
    account = pwd.getpwnam(user)
    environment = {
        "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": account.pw_dir,
        "XDG_RUNTIME_DIR": f"/run/user/{account.pw_uid}", "COLUMNS": "100", "SYSTEMD_COLORS": "0",
    }
    return subprocess.run(
        program + choice, capture_output=True, timeout=1200, env=environment, cwd="/", stdin=subprocess.DEVNULL,
        user=account.pw_uid, group=account.pw_gid, extra_groups=os.getgrouplist(user, account.pw_gid),
    )


def compare(user, choice):
    """Whether there was something to compare, and how it differs."""
    theirs_alone, both = [], []
    for with_these, without_these, journalctls, shared, _ in REPHRASED:
        if is_for(choice, with_these, without_these):
            theirs_alone, both = journalctls, shared
    ours = run(["busctl-rx", "tail", "--no-follow"], user, choice + both)
    theirs = run(["journalctl", "--no-pager"], user, choice + both + theirs_alone)
    differences = []
    if ours.returncode != theirs.returncode:
        differences.append(f"status {ours.returncode}, not {theirs.returncode}: {ours.stderr.decode()[:300]}")
    its = theirs.stdout
    if not ours.stdout and all(line.startswith(b"-- ") for line in its.splitlines()):
        if its:
            differences.append(f"heading: {its.decode()[:100]}")
        its = b""
    mine, its = content(ours.stdout, choice), content(its, choice)
    if mine != its:
        entries = [sorted(str(part) for part in parts if not str(part).startswith("-- Boot ")) for parts in (mine, its)]
        if entries[0] == entries[1]:
            differences.append("order")
            return True, differences
        place = next((number for number, pair in enumerate(zip(mine, its)) if pair[0] != pair[1]), min(len(mine), len(its)))
        parts = [part[place] if place < len(part) else [] for part in (mine, its)]
        parts = [list(part.items()) if isinstance(part, dict) else part for part in parts]
        if all(isinstance(part, list) for part in parts):
            parts = [[item for item in part if item not in other] for part, other in (parts, parts[::-1])]
        differences.append(f"content: {len(mine)} parts, not {len(its)}; part {place}: {str(parts[0])[:600]} is not {str(parts[1])[:600]}")
    return bool(ours.stdout and theirs.stdout), differences


def reason(choice, difference):
    return next((
        why for with_these, without_these, what, why in ALLOWED
        if is_for(choice, with_these, without_these) and re.match(what, difference)
    ), None)


def main():
    cases = [(user, choice) for user in sys.argv[1:] for choice in CHOICES]
    full = {user: 0 for user in sys.argv[1:]}
    found, allowed, shown = {}, {}, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: compare(*case), cases))
    for (user, choice), (is_full, differences) in zip(cases, results):
        full[user] += is_full
        if is_full:
            shown.add(" ".join(choice))
        # An entry may have come between the two: then they do not differ when nothing happens.
        if not all(reason(choice, difference) for difference in differences):
            _, differences = compare(user, choice)
        for difference in differences:
            if why := reason(choice, difference):
                allowed[why] = allowed.get(why, 0) + 1
            else:
                found.setdefault((" ".join(choice), difference), []).append(user)
    for (choice, difference), users in found.items():
        print(json.dumps({"users": users, "options": choice, "difference": difference}))
    rephrased = {why: sum(is_for(choice, *what) for choice in CHOICES) for *what, _, _, why in REPHRASED}
    empty = {" ".join(choice): choice in EMPTY for choice in CHOICES if (" ".join(choice) in shown) == (choice in EMPTY)}
    print(json.dumps({"sets": len(CHOICES), "full": full, "allowed": allowed, "rephrased": rephrased, "empty": empty}))


main()
