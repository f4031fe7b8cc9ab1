import Foundation
import Testing

@Suite("busctl-rx explains filters")
struct CommandLineExplainTests {
    @Test("the tree with its types, the fields, the query of the index, the remainder, the cost")
    func explains() throws {
        let ended = try TailProcess.run("explain", "priority <= crit && unit == 'a.service' && message =~ 'time.?out'")
        let expected = """
            &&                    bool
            ├─ <=                 bool
            │  ├─ PRIORITY        int
            │  └─ crit            int
            ├─ ==                 bool
            │  ├─ unit            string
            │  └─ 'a.service'     string
            └─ =~                 bool
               ├─ MESSAGE         string
               └─ time.?out       string

            Fields read: PRIORITY, unit, MESSAGE
            Asked of the index: (PRIORITY=0 or PRIORITY=1 or PRIORITY=2) and (_SYSTEMD_UNIT=a.service or \
            (COREDUMP_UNIT=a.service and MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1 and _UID=0) or \
            (UNIT=a.service and _PID=1) or (OBJECT_SYSTEMD_UNIT=a.service and _UID=0))
            The whole filter is checked again on what the index finds, which says nothing about:
              message =~ 'time.?out'
            Tested once for each value, where that is faster:
              priority <= crit
              message =~ 'time.?out'
            Cost of one evaluation: at least 4, more with longer texts or lists

            """
        // The test does not check the width of the first column.
        func squeezed(_ text: String) -> String { text.replacing(#/\ {2,}/#, with: "  ") }
        #expect(squeezed(ended.output) == squeezed(expected))
        #expect(ended.status == 0 && ended.errors == "")
    }

    @Test("for each file of a journal, how its entries are found and why")
    func ways() throws {
        let entries = (0..<600).map { number -> SyntheticJournal.Fields in
            [
                ("MESSAGE", Array("number \(number)".utf8)),
                ("SYSLOG_IDENTIFIER", Array((number % 100 == 0 ? "rare" : "common").utf8)),
            ]
        }
        let journal = try SyntheticJournal(entries)
        func way(_ filter: String) throws -> String {
            let ended = try TailProcess.run("explain", "--file", journal.path, filter)
            #expect(ended.status == 0 && ended.errors == "")
            let last = try #require(ended.output.split(separator: "\n").last)
            #expect(last.hasPrefix("\(journal.path): "))
            return String(last.dropFirst(journal.path.count + 2))
        }
        #expect(try way("identifier == 'rare'") == "the index finds at most 6 of 600 entries")
        let both = "identifier.startsWith('ra') && size(message) > 3"
        #expect(try way(both) == "the index finds at most 6 of 600 entries")
        #expect(try way("message.contains('77')") == "each value of MESSAGE is tested once")
        #expect(
            try way("identifier == 'common' && message.contains('77')")
                == "each value of MESSAGE is tested once, because the index would find up to 594 of 600 entries"
        )
        #expect(
            try way("identifier == 'common'")
                == "all entries are read, because the index would find up to 594 of 600 entries"
        )
        #expect(try way("age > duration('1h')") == "all 600 entries are read")
        #expect(try way("false") == "nothing is read, because nothing can match")
        let missing = try TailProcess.run("explain", "--directory", "/nowhere", "true")
        #expect(missing.status == 3 && missing.output == "")
        #expect(missing.errors.contains("/nowhere"))
    }

    @Test("a refused filter gives status 2 and its error")
    func refuses() throws {
        let ended = try TailProcess.run("explain", "priority < 'err'")
        #expect(ended.status == 2 && ended.output == "")
        #expect(
            ended.errors == """
                busctl-rx: line 1, column 12: priority is a number, 'err' is text; write priority < err
                  priority < 'err'
                             ^^^^^

                """
        )
        let cut = try TailProcess.run("explain", "priority", "<", "3")
        #expect(cut.status == 2 && cut.output == "")
        #expect(cut.errors.contains("Put the whole expression in single quotes"), "\(cut.errors)")
    }

    @Test("the filter's statistics are shown at the end, if asked for")
    func statistics() throws {
        let stream = SyntheticJournal.export([
            [("MESSAGE", Array("a".utf8)), ("PRIORITY", Array("3".utf8))],
            [("MESSAGE", Array("b".utf8)), ("PRIORITY", Array("6".utf8))],
            [("MESSAGE", Array("c".utf8))],
        ])
        let ended = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "--filter-stats",
            "priority < 4",
            input: stream
        )
        #expect(ended.status == 0 && ended.output == "a\n")
        #expect(
            ended.errors == """
                busctl-rx: the filter was true for 1 entries, false for 1, and had no answer for 1, first because of line 1, \
                column 1: this cannot be done with null (absent) and a whole number
                  priority < 4
                  ^^^^^^^^^^^^

                """
        )
    }

    @Test("the next times of a calendar, with what the changes of the clocks do to them")
    func calendars() throws {
        func lines(_ arguments: String...) throws -> [Substring] {
            let ended = try TailProcess.run(["explain"] + arguments, environment: ["TZ": "UTC", "LANG": "C"])
            #expect(ended.status == 0 && ended.errors == "")
            // How long it is until then depends on when the test runs.
            return ended.output.split(separator: "\n").filter { !$0.contains("From now: ") }
        }
        #expect(
            try lines("--calendar", "2095-3-26..28 2:30 Europe/Berlin", "--next", "5") == [
                "     Original form: 2095-3-26..28 2:30 Europe/Berlin",
                "   Normalized form: 2095-03-26..28 02:30:00 Europe/Berlin",
                "       Next elapse: Sat 2095-03-26 01:30:00 UTC",
                "(in Europe/Berlin): Sat 2095-03-26 02:30:00 CET",
                "           Skipped: Sun 2095-03-27 02:30:00: the clocks go from 02:00:00 to 03:00:00",
                "      Iteration #2: Mon 2095-03-28 00:30:00 UTC",
                "(in Europe/Berlin): Mon 2095-03-28 02:30:00 CEST",
            ]
        )
        #expect(
            try lines("--calendar", "*-*-* *:00:00 UTC").first == "Normalized form: *-*-* *:00:00 UTC",
            "an expression in the normal form is shown once"
        )
        let cron = try lines("--cron", "*/30 9-17 * * 1-5 Europe/Berlin", "--next=3")
        #expect(cron.count == 8)
        #expect(cron.dropFirst().first?.hasSuffix(": Mon..Fri *-*-* 09..17:00/30:00 Europe/Berlin") == true)
        #expect(try lines("--cron", "0 0 30 2 *", "--next", "2").last == "    Next elapse: never")
    }

    @Test("what systemd-analyze prints is among the lines")
    func calendarsBesideSystemd() throws {
        for expression in ["Mon..Fri 09:00", "*-*~1 12:00", "2095-10-30 2:30", "*-*-* 00:00:00"] {
            for zone in ["UTC", "Europe/Berlin"] {
                let environment = ["TZ": zone, "LANG": "C"]
                let ours = try TailProcess.run(
                    ["explain", "--calendar", expression, "--next=4"],
                    environment: environment
                )
                let command = ["TZ=\(zone)", "LC_ALL=C", "systemd-analyze", "calendar", "--iterations=3", expression]
                let theirs = String(decoding: try Command.run("/usr/bin/env", command).output, as: UTF8.self)
                // The lines that begin with a weekday, and no mark behind them.
                func times(_ text: String) -> [Substring] {
                    text.matches(of: /: ((Mon|Tue|Wed|Thu|Fri|Sat|Sun) [0-9]{4}-[^,\n]*)/).map(\.1)
                }
                #expect(times(theirs).count >= 1)
                #expect(
                    Set(times(theirs)).isSubset(of: times(ours.output)),
                    "\(expression) in \(zone): \(ours.output)\(theirs)"
                )
            }
        }
    }

    @Test("a refused calendar gives status 2 and the place of the mistake")
    func refusesCalendars() throws {
        func errors(_ arguments: String...) throws -> String {
            let ended = try TailProcess.run(["explain"] + arguments)
            #expect(ended.status == 2 && ended.output == "")
            return ended.errors
        }
        #expect(
            try errors("--calendar", "Mon..Fri 25:00") == """
                busctl-rx: cannot understand the calendar expression: the hour is not in the range of 0 to 23
                  Mon..Fri 25:00
                           ^
                see systemd.time(7), "Calendar Events"

                """
        )
        #expect(
            try errors("--cron", "0 9 * * 8") == """
                busctl-rx: cannot understand the cron expression: the weekday is not in the range of 0 to 7
                  0 9 * * 8
                          ^
                see crontab(5)

                """
        )
        #expect(try errors("--calendar", "daily", "--cron", "@daily").contains("there is --calendar already"))
        #expect(try errors("--calendar", "daily", "priority <= err").contains("leaves no room for a filter"))
        #expect(try errors("--next", "3").contains("--next needs a calendar"))
        #expect(try errors("--cron", "@daily", "--next", "0").contains("from 1 to 10000"))
        #expect(try errors("--cron", "@daily", "--next", "10001").contains("from 1 to 10000"))
    }
}
