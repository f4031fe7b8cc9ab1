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
}
