"""Runs inside a machine: reads what was heard on the bus between two marks, and compares it with what `busctl monitor` heard.

bus.py compare FROM TO FILE OF-BUSCTL BOTH|SIGNALS    prints how they differ, and how often each unit's job was removed
"""
import collections
import json
import sys

MARK = "org.example.Machine"


def between(path, first, last, arguments):
    """The messages of a file between two marks."""
    messages, inside = [], False
    for line in open(path, "rb"):
        value = json.loads(line)
        if value.get("gap"):
            messages.append(value)
            continue
        fields = value.get("fields", value)
        if fields.get("interface") == MARK:
            inside = arguments(fields) == [first] or inside and arguments(fields) != [last]
        elif inside:
            names = ("type", "sender", "destination", "path", "interface", "member", "cookie", "reply_cookie")
            messages.append({name: fields.get(name) for name in names} | {"args": arguments(fields)})
    return messages


def main():
    first, last, ours, theirs, which = sys.argv[2:]
    mine = between(ours, first, last, lambda fields: fields.get("args", []))
    its = between(theirs, first, last, lambda fields: fields.get("payload", {}).get("data", []))
    if which == "SIGNALS":
        its = [message for message in its if message["type"] == "signal" and not message["destination"]]
    different = next((number for number, pair in enumerate(zip(mine, its)) if pair[0] != pair[1]), None)
    if different is None and len(mine) != len(its):
        different = min(len(mine), len(its))
    removed = [message["args"][2:] for message in mine if message.get("member") == "JobRemoved"]
    print(json.dumps({
        "heard": len(mine), "busctl heard": len(its),
        "difference": None if different is None else [different, mine[different:][:1], its[different:][:1]],
        "removed": collections.Counter(unit for unit, result in removed if result == "done"),
        "members": collections.Counter(message.get("member") for message in mine),
    }))


main()
