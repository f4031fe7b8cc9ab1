import Testing

/// A wrong expression, the marked part of it, and the message about it.
struct JournalMistake: Sendable, CustomTestStringConvertible {
    let expression: String
    let place: String
    let message: String

    init(_ expression: String, _ place: String, _ message: String) {
        (self.expression, self.place, self.message) = (expression, place, message)
    }

    var testDescription: String { expression }
}

/// Mistakes made by people who know other tools.
enum JournalMistakes {
    static let names: [JournalMistake] = [
        JournalMistake(#"hostname == "web-1""#, "hostname", #"there is no field hostname; write host == "web-1""#),
        JournalMistake(#"service == "nginx""#, "service", #"there is no field service; write unit == "nginx.service""#),
        JournalMistake(#"level == "error""#, "level", "there is no field level; write priority == err"),
        JournalMistake("severity <= 3", "severity", "there is no field severity; write priority <= 3"),
        JournalMistake(#"user == "root""#, "user", #"there is no field user; write uid == "root""#),
        JournalMistake(#"comm == "bash""#, "comm", #"there is no field comm; write _COMM == "bash""#),
        JournalMistake(#"exe == "/bin/sh""#, "exe", #"there is no field exe; write _EXE == "/bin/sh""#),
        JournalMistake(#"slice == "a.slice""#, "slice", #"there is no field slice; write _SYSTEMD_SLICE == "a.slice""#),
        JournalMistake("gid == 0", "gid", "there is no field gid; write _GID == 0"),
        JournalMistake("has(hostname)", "hostname", "there is no field hostname; did you mean host?"),
        JournalMistake("uid == root", "root", #"there is no field root; write uid == "root""#),
        JournalMistake("priority == error", "error", "there is no field error; write priority == err"),
        JournalMistake("priority <= warn", "warn", "there is no field warn; write priority <= warning"),
        JournalMistake(#"msg.contains("x")"#, "msg", "there is no field msg; did you mean message?"),
        JournalMistake(#"cmdline =~ "x""#, "cmdline", "there is no field cmdline; did you mean _CMDLINE?"),
        JournalMistake(#"program != "sshd""#, "program", #"there is no field program; write identifier != "sshd""#),
        JournalMistake("timestamp > now", "timestamp", "there is no field timestamp; did you mean time?"),
        JournalMistake("facility == 3", "facility", "there is no field facility; write SYSLOG_FACILITY == 3"),
        JournalMistake("priority <= ERR", "ERR", "priority is a number, ERR is text; write priority <= err"),
        JournalMistake(
            #"priority == "ERROR""#,
            #""ERROR""#,
            #"priority is a number, "ERROR" is text; write priority == err"#
        ),
        JournalMistake(
            "error",
            "error",
            #"there is no field error; to look for a word write message.contains("error")"#
        ),
        JournalMistake(
            #"uid == "no such user""#,
            #""no such user""#,
            "this machine knows no user no such user; write the user's number, or a name that getent passwd shows"
        ),
        JournalMistake(#"uid == "0""#, #""0""#, #"uid is a number, "0" is text; write uid == 0"#),
        JournalMistake(
            "boot == 0",
            "0",
            "boot is text, 0 is a number; a boot's ID has 32 digits, 0 to 9 and a to f; journalctl --list-boots shows them"
        ),
        JournalMistake(#"record["unit"] == "x""#, #"record["unit"]"#, "the fields are members here; write record.unit"),
        JournalMistake(
            "exists(unit)",
            "exists",
            "exists() is called on a list or a map, as in [1, 2].exists(…); write has(unit) for a field"
        ),
        JournalMistake(
            #"message.toLower() == "x""#,
            "toLower",
            "there is no function toLower(); did you mean lowerAscii()?"
        ),
        JournalMistake("time.hour() == 3", "hour", "there is no function hour(); did you mean getHours()?"),
        JournalMistake("hour(time) == 3", "hour", "there is no function hour(); did you mean time.getHours()?"),
        JournalMistake(
            #"pid.toString() == "1""#,
            "toString",
            "there is no function toString(); did you mean string(pid)?"
        ),
        JournalMistake(#"message.length > 3"#, "length", "message is text and has no members; write message.size()"),
    ]

    static let spellings: [JournalMistake] = [
        JournalMistake("message =~ error", "error", #"there is no field error; write message =~ "error""#),
        JournalMistake(
            "message.contains(error)",
            "error",
            #"there is no field error; write message.contains("error")"#
        ),
        JournalMistake(
            "message.matches(/x/i)",
            "/x/i",
            #"found /x/i; a regular expression is a text in quotes: write "(?i)x""#
        ),
        JournalMistake(
            #"message.contains(["a", "b"])"#,
            #"["a", "b"]"#,
            #"contains() takes text, and ["a", "b"] is a list; write ["a", "b"].exists(x, message.contains(x))"#
        ),
        JournalMistake("age() < now", "age", "age is a field, not a function; write it without parentheses"),
        JournalMistake(
            #"age < "5 min ago""#,
            #""5 min ago""#,
            #"age is a duration, "5 min ago" is text; write age < duration("5m")"#
        ),
        JournalMistake(
            "age < 5m30s",
            "5m30s",
            #"5m30s is neither a number nor a name; a duration is written duration("5m30s")"#
        ),
        JournalMistake(
            "where priority < 3",
            "priority",
            "found priority where an operator was expected; a filter is the condition itself, without where"
        ),
        JournalMistake("unit.exists", "exists", "unit is text and has no members; write has(unit)"),
        JournalMistake(
            #"unit in "a.service""#,
            #""a.service""#,
            #"in looks into a list; write unit == "a.service", or unit in ["a.service"]"#
        ),
        JournalMistake("priority =< 3", "=<", "found =<; write <="),
        JournalMistake("priority => 3", "=>", "found =>; write >="),
        JournalMistake(#"message ~= "x""#, "~=", "found ~=; write =~"),
        JournalMistake("pid in 1..5", "..", "found ..; a range is two comparisons, as in x >= 1 && x <= 5"),
        JournalMistake("priority\u{A0}== 3", "\u{A0}", "found a no-break space (U+00A0); write a plain space instead"),
        JournalMistake("unit ＝= 'a'", "＝", "found ＝, the full-width form of =; write ="),
        JournalMistake(#"COREDUMP == b"x""#, #"b"x""#, #"COREDUMP is text, b"x" is bytes; write COREDUMP == "x""#),
        JournalMistake(
            #"COREDUMP == b"\xff""#,
            #"b"\xff""#,
            #"COREDUMP is text, b"\xff" is bytes; write bytes(COREDUMP) == b"\xff""#
        ),
        JournalMistake(
            "time > 2026-01-01",
            "2026-01-01",
            #"time is a time, 2026-01-01 is a number; write time > timestamp("2026-01-01T00:00:00Z")"#
        ),
        JournalMistake(
            "time > 2026-01-01T10:30:00+02:00",
            "2026-01-01T10:30:00+02:00",
            #"2026-01-01T10:30:00+02:00 is no value; a time is written timestamp("2026-01-01T10:30:00+02:00")"#
        ),
        JournalMistake(
            #"time > "2026-01-01 9:30""#,
            #""2026-01-01 9:30""#,
            #"time is a time, "2026-01-01 9:30" is text; write time > timestamp("2026-01-01T09:30:00Z")"#
        ),
        JournalMistake(
            #"time > "1 hour ago""#,
            #""1 hour ago""#,
            #"time is a time, "1 hour ago" is text; write time > now - duration("1h")"#
        ),
        JournalMistake(
            "time > yesterday",
            "yesterday",
            #"there is no yesterday here; a time is counted back from now, as in time > now - duration("24h")"#
        ),
        JournalMistake("age < 300", "300", #"age is a duration, 300 is a number; write age < duration("300s")"#),
        JournalMistake(
            "age < 5 minutes",
            "minutes",
            #"found minutes where an operator was expected; write duration("5m")"#
        ),
        JournalMistake("message =~ /x/", "/x/", #"found /x/; a regular expression is a text in quotes: write "x""#),
        JournalMistake(
            #"message == /a\d\/b/i"#,
            #"/a\d\/b/i"#,
            #"found /a\d\/b/i; a regular expression is a text in quotes: write =~ r"(?i)a\d/b""#
        ),
        JournalMistake("message == *error*", "*error*", #"found *error*; write message.contains("error")"#),
        JournalMistake("unit == nginx*", "nginx*", #"found nginx*; write unit.startsWith("nginx")"#),
        JournalMistake("unit == *.slice", "*.slice", #"found *.slice; write unit.endsWith(".slice")"#),
        JournalMistake(
            "- u nginx",
            "nginx",
            "found nginx where an operator was expected; join conditions with && or ||, and put text in quotes"
        ),
        JournalMistake(
            "has(unit) == FALSE",
            "FALSE",
            "has(unit) is true or false, FALSE is text; write has(unit) == false"
        ),
        JournalMistake(
            "FALSE",
            "FALSE",
            "a filter answers true or false, and FALSE is the name of a field here; write false"
        ),
        JournalMistake("priority == NULL", "NULL", "priority is a number, NULL is text; write priority == null"),
        JournalMistake(
            #"message LIKE "%x%""#,
            "LIKE",
            #"found LIKE where an operator was expected; write message.contains("x")"#
        ),
        JournalMistake(
            #"unit not like "x%y""#,
            "not",
            #"found not where an operator was expected; write not unit =~ "^x.*y$""#
        ),
        JournalMistake(
            "unit is not null",
            "is",
            "found is where an operator was expected; write unit != null"
        ),
        JournalMistake(
            "priority BETWEEN 1 AND 3",
            "BETWEEN",
            "found BETWEEN where an operator was expected; write (priority >= 1 && priority <= 3)"
        ),
        JournalMistake("message:error", ":", #"found : where an operator was expected; write message == "error""#),
        JournalMistake("has unit", "unit", "found unit where an operator was expected; write has(unit)"),
        JournalMistake("pid == [1, 2]", "==", "pid is a number, [1, 2] is a list; write pid in [1, 2]"),
        JournalMistake(
            "!unit",
            "unit",
            "! needs a condition, and unit is text; write !(…) around a whole comparison, or !has(unit)"
        ),
        JournalMistake(
            "unit != 'a' && != 'b'",
            "!=",
            "expected a value after &&, found !=; each condition names its field"
        ),
        JournalMistake(
            #"time.getHours("local") == 3"#,
            #""local""#,
            #""local" is no time zone of this system; write "Local" for the machine's own"#
        ),
    ]

    static let impossible: [JournalMistake] = [
        JournalMistake(
            #"unit == "nginx""#,
            #""nginx""#,
            #"the name of a unit ends in its kind, such as .service or .socket; write unit == "nginx.service""#
        ),
        JournalMistake(
            #"unit in ["a.service", "nginx"]"#,
            #""nginx""#,
            #"the name of a unit ends in its kind, such as .service or .socket; write "nginx.service""#
        ),
        JournalMistake(
            #"unit == "nginx*""#,
            #""nginx*""#,
            #"a * in a text stands for itself; write unit.startsWith("nginx")"#
        ),
        JournalMistake(
            #"_SYSTEMD_UNIT != "a@*.service""#,
            #""a@*.service""#,
            #"a * in a text stands for itself; write not _SYSTEMD_UNIT =~ "^a@.*\\.service$""#
        ),
        JournalMistake("unit == NULL", "NULL", "NULL is the name of a field here; write unit == null"),
        JournalMistake(
            "message == FALSE",
            "FALSE",
            "FALSE is the name of a field here; the word is false, and text stands in quotes"
        ),
        JournalMistake("priority > 7", "7", "priority is 0 to 7, so that this never holds"),
        JournalMistake(
            #"boot == "F4468717-1550-4074-BF70-49EF0718FA93""#,
            #""F4468717-1550-4074-BF70-49EF0718FA93""#,
            "a boot's ID has 32 digits, 0 to 9 and a to f; journalctl --list-boots shows them; write boot =="
                + #" "f446871715504074bf7049ef0718fa93""#
        ),
        JournalMistake(
            #""x" =~ message"#,
            #""x""#,
            #"the regular expression stands behind =~; write message =~ "x""#
        ),
    ]
}
