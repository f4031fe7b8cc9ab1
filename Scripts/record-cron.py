#!/usr/bin/env python3
"""Records what croniter, of PyPI, makes of cron expressions, for Tests/TimersTests/Calendar.

Writes a line for each: time zone, base in seconds since 1970, expression ("refused" instead of times when croniter refuses it) and
the next times, the first in seconds since 1970 and each other one as the distance from the one before.

usage: python3 -m venv VENV && VENV/bin/pip install croniter==7.0.0 && VENV/bin/python Scripts/record-cron.py
"""
import datetime
import importlib.metadata
import os
import random
import sys
from zoneinfo import ZoneInfo

import croniter

OUTPUT = os.path.join(os.path.dirname(__file__), "../Tests/TimersTests/Calendar/Recorded/croniter.tsv")
TIMES = 6

# What manuals and questions show, and every rule of the notation.
NOTATION = """
* * * * *|*/5 * * * *|*/7 * * * *|0 * * * *|30 * * * *|0 0 * * *|0 */2 * * *|15 */3 * * *|0 9-17 * * 1-5|*/5 9-17 * * 1-5|0,30 8-18/2 * * *
0 0 1 * *|0 0 1,15 * *|0 0 31 * *|0 0 30 2,4 *|0 0 29 2 *|0 0 1 1 *|0 12 * */3 *|0 12 1 */5 *|0 4 8-14 * *|5 4 * * 0|5 4 * * 7|5 4 * * sun|0 22 * * 1-5
0 0 * * 0,6|0 0 * * 5-7|0 0 * * sat,sun|0 0 * * mon-fri|0 0 * jan *|0 0 1 jan-mar *|0 0 1 JAN,Jul *|0 0 * * MON,wed,Fri|0 0 13 * 5|0 0 13 * fri|0 0 1,15 * 1|0 0 1-7 * 0
0 0 */2 * *|0 0 1-31/2 * *|0 0 */10 * *|0 0 */2 * 1|0 0 * * */2|0 0 1-7 * */7|0 0 1-7 * *|0 0 * * 1-7|0 0 * * 0-6|0 0 * * 0-7|0 0 1-31 * 1|0 0 15 * 0-6|0 0 29 2 1
10-20/3 1 * * *|10-20/30 1 * * *|0-59 0-23 1-31 1-12 0-6|59 23 31 12 *|59 23 * * 6|23 0-20/2 * * *|0 0,12 1 */2 *|1,2,3,5,8,13,21,34,55 * * * *
00 05 01 01 *|0 0 08 09 *|@hourly|@daily|@midnight|@weekly|@monthly|@yearly|@annually
* * * *|* * * * 8|60 * * * *|* 24 * * *|* * 0 * *|* * 32 * *|* * * 13 *|* * * 0 *|-1 * * * *|a * * * *|* * * foo *|* * * * foo|*/0 * * * *|1--2 * * * *|1,,2 * * * *|, * * * *|1- * * * *|*/ * * * *|/5 * * * *|1/ * * * *|** * * * *|@fortnightly|@|1.5 * * * *
""".strip("\n").replace("\n", "|").split("|")

# Without changes of the clocks in the years that follow, because croniter has no choice of what becomes of local times that they skip
# or repeat. What changes of the clocks do is compared with systemd.
PLACES = [
    ("UTC", "2026-01-01 00:00"), ("UTC", "2026-02-27 13:37"), ("UTC", "2095-12-31 23:59"), ("Asia/Kolkata", "2027-12-31 23:59"),
    ("Asia/Kathmandu", "2028-02-28 23:59"), ("America/Phoenix", "2026-06-30 18:00"), ("Asia/Tokyo", "2026-10-04 06:30"),
    ("Pacific/Kiritimati", "2099-02-27 00:00"),
]


def field(chance, low, high, names, star):
    if chance.random() < star:
        return chance.choice(["*", "*", f"*/{chance.randint(1, (high - low) // 2)}"])

    def number(value):
        return names[value - low] if names and chance.random() < 0.3 else str(value)

    def element():
        first = chance.randint(low, high)
        if first == high or chance.random() < 0.6:
            return number(first)
        # To croniter, a range with equal ends is the whole field; to cron, it is one number.
        last = chance.randint(first + 1, high)
        return f"{number(first)}-{number(last)}" + (f"/{chance.randint(1, min(9, high))}" if chance.random() < 0.4 else "")
    return ",".join(element() for _ in range(chance.choice([1, 1, 1, 2, 3])))


def expression(chance):
    months = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    weekdays = "sun mon tue wed thu fri sat".split()
    return " ".join([
        field(chance, 0, 59, None, 0.2), field(chance, 0, 23, None, 0.4), field(chance, 1, 28, None, 0.6),
        field(chance, 1, 12, months, 0.7), field(chance, 0, 6, weekdays, 0.5),
    ])


def record(zone, base, text):
    try:
        # As in crontab(5), a field that begins with * does not restrict the day.
        times = croniter.croniter(text, datetime.datetime.fromtimestamp(base, ZoneInfo(zone)), implement_cron_bug=True)
        return [int(times.get_next(float)) for _ in range(TIMES)]
    except (ValueError, KeyError):
        return None


def main():
    chance = random.Random(4)
    cases = []
    for zone, moment in PLACES:
        base = int(datetime.datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp())
        cases += [(zone, base, text) for text in NOTATION]
        cases += [(zone, base, expression(chance)) for _ in range(300)]
    cases = list(dict.fromkeys(cases))
    with open(OUTPUT, "w", encoding="utf-8") as file:
        for zone, base, text in cases:
            times = record(zone, base, text)
            steps = "refused" if times is None else ",".join(str(b - a) for a, b in zip([0] + times, times))
            file.write(f"{zone}\t{base}\t{text}\t{steps}\n")
    print(f"{len(cases)} cases of croniter {importlib.metadata.version('croniter')}", file=sys.stderr)


main()
