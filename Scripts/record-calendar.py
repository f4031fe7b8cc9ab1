#!/usr/bin/env python3
"""Records what systemd-analyze makes of calendar expressions, for Tests/TimersTests/Calendar.

Writes a line for each: time zone, base in seconds since 1970, expression, normal form ("refused" when there is none,
"stuck" when systemd gives up on it) and the next 20 times, the first in seconds since 1970 and each other one as the distance from the one before.
Copies the zone files that systemd read, beside it: a later version of them gives other times.
"""
import datetime
import os
import random
import shutil
import subprocess
import sys
from zoneinfo import ZoneInfo

FOLDER = os.path.join(os.path.dirname(__file__), "../Tests/TimersTests/Calendar/Recorded")
OUTPUT = os.path.join(FOLDER, "systemd-analyze.tsv")

# Every rule of the notation.
NOTATION = """
minutely|hourly|daily|weekly|monthly|quarterly|yearly|annually|anually|semiannually|semi-annually|biannually|bi-annually
Daily|WEEKLY|daily UTC|weekly Asia/Tokyo|monthly europe/berlin|hourly Europe/Berlin
Mon|Monday|monday|MON|Mon,Tue|Mon,Wed|Mon..Wed|Mon-Wed|Mon..Sun|Sat,Sun,Mon|Mon..Wed,Fri|Fri..Sun|Thu,|Thu, 12:00|Mon,Tue,Wed
Sat..Sun 12:00|Sun|Sunday..Sunday|Mon..Mon|Tue,Thu..Sat 2020-*-*
2003-03-05|03-05|2003-03-05 05:40|05:40|05:40:13|5:40|2003-03-05 05:40:01.5|*-*-* *:*:*|*:*:*|*:*|*-*|*-*-*|*-*-1|*-1|1-*
2030-3-5|30-3-5|69-1-1|70-1-1|99-12-31|2199-12-31|2200-1-1|1969-12-31|100-1-1
Wed *-1|Wed-Wed,Wed *-1|Wed, 17:48|Wed..Sat,Tue 12-10-15 1:2:3|*-*-7 0:0:0|10-15|monday *-12-* 17:00
Mon,Fri *-*-3,1,2 *:30:45|12,14,13,12:20,10,30|12..14:10,20,30|mon,fri *-1/2-1,3 *:30:45|03-05 08:05:40|08:05:40|Sat,Sun 12-05 08:05:40
Sat,Sun 08:05:40|2003-03-05 05:40|05:40:23.4200004/3.1700005|2003-02..04-05|2003-03-05 05:40 UTC|05:40 UTC|Mon 13:00 UTC
*-*~1|*-*~01|*-02~29|*-02~28|*~1|*-*~1..3|*-*~3..1|*-*~5/2|*-*~7/1|Mon *-05~07/1|Mon *-*~07/1|*-*~28|*-*~29|*-02~01..03|02~1|*-*~1,15|*-*~*|*-*~3/3|*-1,3,5~2
*-*-29|*-*-30|*-*-31|*-02-29|*-02-30|*-2-31|*-4-31|*-06-31 12:00|2024..2030-02-29|2024/4-02-29|*/4-1-1|2023/2-06-01
*:0/15|*:00/5:30|0/6:00|0/5:0|1/4:30|*:5/20|*:0..30/10|8..17:00|8..17/3:00|9-17:00|00..23/2:00|22..2:00|23/1:00|0/24:00|0/23:00|*:0/60|*:0/59
*:*:0/10|*:*:5..20|*:*:5..20/5|*:*:0.5|*:*:0.25/0.5|*:*:1.5..3.5|*:*:1.5..3.5/0.5|*:*:59.999999|*:*:59.9999999|*:*:0/0.000001|*:*:60|*:*:0..59|*:*:0..60|*:*:0..0.5|*:*:0..0.5/0.1
*:*:30.1234567|*:*:1.|*:*:.5|*:*:2147|*:*:2148|*:*:10,5,10,5|1,1,1:0|1..3,2:0|1..3/5:0|5..5:0|5..5/1:0|1..6/2:0|1..6/5:00|1..6/6:00
*-*-1..7 18:00|Mon *-*-1..7|Fri *-*-13|Fri *-*-13 13:13:13|Tue *-11-2..8|Mon..Fri *-*-* 08:00:00 Europe/Berlin|*-1,4,7,10-1 6:00|*-*-1,15 03:00 America/New_York
*-*-* 02:30 UTC|*-*-* 02:30 utc|12:00 Mars/Olympus|12:00 CET|12:00 cest|12:00 EST|12:00 GMT|12:00 Etc/UTC|12:00 Etc/GMT+5|UTC| UTC|12:00  UTC|12:00 UTC UTC
@0|@1395716396|@1395716396 UTC|@4102444800|@|@x|@-1|@12 3|@1e3|Mon @5
Foo|| |Mon Foo|Mond|Mo|M|Mon..|Mon.Tue|Mon..Tue..Wed|Tue..Mon|Mon,,Tue|Mon;Tue|,Mon|Mon -1|2003|2003-|2003-03|2003-03-|2003-03-05-|2003-03-05-07|2003-03-05T12:00
12|12:|:12|12:00:|12:00:00:|12:00:00:00|12:00:00 foo|24:00|23:60|23:59:60|25:00|-1:00|1..:00|..5:00|1/0:00|1/:00|1//2:00|1/2/3:00|1...3:00|1,:00|1,,2:00|a:00|1a:00|0x1:00|+1:00
00-00|1-0|0-1|1-32|13-1|*-13-1|*-0-1|*-*-0|*-*-32|*-*~0|*-*~31|*~1-1|~1|1~|2020~1~1|2020~1-1|*-1~1-1|9999999999:00|99999999999999999999-1-1|2147483648:00|*-*-*-*|**|* *|*:*:*:*
Mon..Fri *-*-* 9..16/2:15,45|Sat *-*-1..7 00:00|*-*-* 00:00:00|*-*-* 12:34:56.789|*-12-25|*-*-1 0/3:0/20
""".strip("\n").replace("\n", "|").split("|")

# What the change of clocks makes interesting.
CHANGES = """
hourly|daily|*:0/30|*:0/15|*:*|*:00,20,40:30|02:30|*-*-* 2:30|2:00|3:00|1:30|1,2,3:30|2..3:15|0:00|0:30|23:30|0/2:00|0/3:10|1/6:45|0/1:59:59|Sun 2:30|Sun *:30|Sat,Sun 1..3:0/20
*-*~1 02:30|*-*-* 01:59:59.5|*-*-* 00:00:00 UTC|*-*-* 02:30 Europe/Berlin|*-*-* 02:30 America/New_York|*:0/45|weekly|monthly|*-*-30|*-12-30|2..2:0..59/7|*:30 CET|12:00 CEST|*:15 EDT|Mon 0:00|*:*:30
""".strip("\n").replace("\n", "|").split("|")

PLACES = [
    ("Europe/Berlin", "2026-03-28 20:00"), ("Europe/Berlin", "2026-10-24 20:00"), ("Europe/Berlin", "2026-10-25 01:50"),
    ("America/New_York", "2026-03-07 20:00"), ("America/New_York", "2026-10-31 20:00"),
    ("Australia/Lord_Howe", "2026-04-04 20:00"), ("Australia/Lord_Howe", "2026-10-03 20:00"),
    ("America/Sao_Paulo", "2018-11-03 20:00"), ("America/Sao_Paulo", "2019-02-16 20:00"),
    ("Africa/Casablanca", "2026-02-14 20:00"), ("Europe/Dublin", "2026-03-28 20:00"),
    ("Europe/Dublin", "2050-10-29 20:00"), ("Pacific/Apia", "2011-12-28 20:00"), ("Africa/Cairo", "2026-04-23 20:00"),
    ("America/Santiago", "2045-09-02 20:00"), ("Asia/Kolkata", "2026-03-28 20:00"),
]


def number(chance, low, high):
    """A random element of a list."""
    text = str(chance.randint(low, high))
    if chance.random() < 0.25:
        text += ".." + str(chance.randint(low, high))
    if chance.random() < 0.3:
        text += "/" + str(chance.randint(1, max(1, (high - low) // 2)))
    return text


def field(chance, low, high, star=0.5):
    if chance.random() < star:
        return "*"
    return ",".join(number(chance, low, high) for _ in range(chance.choice([1, 1, 1, 2, 3])))


def expression(chance):
    """A random expression; some are malformed."""
    text = ""
    if chance.random() < 0.3:
        days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        text += chance.choice(["", "Sat,"]) + chance.choice(days) + chance.choice(["", ".." + chance.choice(days)]) + " "
    if chance.random() < 0.7:
        text += field(chance, 2020, 2040, 0.9) + "-" + field(chance, 1, 12, 0.7) + chance.choice(["-", "-", "~"])
        text += field(chance, 1, 30, 0.4) + " "
    text += field(chance, 0, 23, 0.4) + ":" + field(chance, 0, 59, 0.2)
    if chance.random() < 0.3:
        text += ":" + field(chance, 0, 59, 0.2)
    return text + chance.choice(["", "", "", "", " UTC", " America/New_York"])


def record(zone, base, text):
    run = subprocess.run(
        ["systemd-analyze", "calendar", "--iterations=20", f"--base-time=@{base}", "--", text],
        env={"TZ": zone, "LC_ALL": "C", "PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)
    if "Resource deadlock avoided" in run.stderr:
        return "stuck", []
    if run.returncode != 0:
        return "refused", []
    normal, times = None, []
    for line in run.stdout.splitlines():
        label, _, value = line.partition(": ")
        label, value = label.strip(), value.strip()
        if label == "Normalized form":
            normal = value
        if value.endswith(" UTC") and (label == "(in UTC)" or zone == "UTC" and label.startswith(("Next", "Iter"))):
            moment = datetime.datetime.strptime(value, "%a %Y-%m-%d %H:%M:%S UTC")
            times.append(int(moment.replace(tzinfo=datetime.timezone.utc).timestamp()))
    # The normal form is only printed where it differs.
    return normal or text, times


def main():
    chance = random.Random(4)
    cases = [("UTC", 1767225600 + 12345, text) for text in NOTATION]
    cases += [("Europe/Berlin", 1767225600, text) for text in NOTATION if " " in text and text.strip()]
    for zone, moment in PLACES:
        base = int(datetime.datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp())
        cases += [(zone, base, text) for text in CHANGES]
        cases += [(zone, base, expression(chance)) for _ in range(12)]
    for zone in {zone for zone, _, _ in cases} - {"UTC"}:
        copy = os.path.join(FOLDER, "zoneinfo", zone)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(os.path.join("/usr/share/zoneinfo", zone), copy)
    with open(OUTPUT, "w", encoding="utf-8") as file:
        for zone, base, text in dict.fromkeys(cases):
            normal, times = record(zone, base, text)
            steps = [str(b - a) for a, b in zip([0] + times, times)]
            file.write("\t".join([zone, str(base), text, normal, ",".join(steps)]) + "\n")
    print(f"{len(dict.fromkeys(cases))} cases", file=sys.stderr)


main()
