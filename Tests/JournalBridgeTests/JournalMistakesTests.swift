import Filter
import JournalBridge
import Testing

@Suite("Mistakes in a filter over a journal")
struct JournalMistakesTests {
    @Test("names of other tools are answered with the equivalent name", arguments: JournalMistakes.names)
    func names(_ mistake: JournalMistake) throws { try check(mistake) }

    @Test("operators and values of other languages are answered with ours", arguments: JournalMistakes.spellings)
    func spellings(_ mistake: JournalMistake) throws { try check(mistake) }

    @Test("conditions that can never hold cause a warning", arguments: JournalMistakes.impossible)
    func impossible(_ mistake: JournalMistake) throws {
        let warnings = try CompiledFilter(mistake.expression, schema: JournalSchema()).warnings
        #expect(warnings.map(\.message) == [mistake.message])
        let marked = try #require(warnings.first?.range)
        #expect(String(decoding: Array(mistake.expression.utf8)[marked], as: UTF8.self) == mistake.place)
    }

    @Test(
        "conditions that may hold do not",
        arguments: [
            "unit == 'nginx.service'", "unit == '-.mount'", "unit in ['a.socket', 'b.timer']", "unit == null",
            "UNIT == 'nginx'", "_SYSTEMD_SLICE == '-.slice'", "boot == 'f446871715504074bf7049ef0718fa93'",
            "identifier == 'a.b'", "uid == 'root'", "message == 'x'", "priority <= 7",
        ]
    )
    func possible(expression: String) throws {
        #expect(try CompiledFilter(expression, schema: JournalSchema()).warnings == [])
    }

    private func check(_ mistake: JournalMistake) throws {
        let error = #expect(throws: FilterError.self) {
            try CompiledFilter(mistake.expression, schema: JournalSchema())
        }
        let refused = try #require(error)
        #expect(refused.message == mistake.message)
        let rest = String(decoding: Array(mistake.expression.utf8)[refused.offset...], as: UTF8.self)
        #expect(rest.hasPrefix(mistake.place))
        let carets = refused.description.split(separator: "\n").last?.drop { $0 == " " }
        // A full-width character takes two columns.
        if mistake.place.utf8.count == mistake.place.count { #expect(carets?.count == mistake.place.count) }
    }

    // MARK: User names

    @Test("a user's name stands for the user's number, a group's name for the group's")
    func accounts() throws {
        func match(_ expression: String) throws -> Match {
            try CompiledFilter(expression, schema: JournalSchema()).match
        }
        #expect(try match("uid == 'root'") == match("uid == 0"))
        #expect(try match("'root' == uid") == match("uid == 0"))
        #expect(try match("_UID in ['root', 7]") == match("uid in [0, 7]"))
        #expect(try match("_GID == 'root'") == match("_GID == 0"))
        #expect(try match("uid != 'root'") == match("uid != 0"))
        #expect(throws: FilterError.self) { try match("uid < 'root'") }
        #expect(throws: FilterError.self) { try match("pid == 'root'") }
    }

    @Test("an expression of 100,000 code points is refused at once, whatever it contains")
    func garbage() throws {
        for part in ["hostname ", "a=", "x/", "*", "uid == 'n' || ", "\u{202E}"] {
            let text = String(repeating: part, count: 99_000 / part.unicodeScalars.count)
            let error = #expect(throws: FilterError.self) { try CompiledFilter(text, schema: JournalSchema()) }
            #expect((error?.description.unicodeScalars.count ?? .max) < 2_000)
        }
    }
}
