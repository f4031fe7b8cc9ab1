import JournalBridge
import Records
import Testing

@Suite("Entries named as journalctl's arguments name them")
struct JournalMatchesTests {
    @Test(
        "values of one field are alternatives, fields must all match, and + separates alternatives",
        arguments: [
            (["_PID=1"], "(_PID == 1)"), (["_PID=one"], #"(_PID == dyn("one"))"#),
            (["_COMM=a", "PRIORITY=3", "_COMM=b"], #"(_COMM == "a" || _COMM == "b") && (PRIORITY == 3)"#),
            (["_COMM=a\"b", "+", "OWN=1"], #"(_COMM == "a\"b") || ("1" in fields("OWN"))"#),
        ]
    )
    func expression(words: [String], expression: String) throws {
        let matches = try #require(try JournalMatches(words))
        #expect(matches.expression == expression)
        var choice = EntryChoice()
        choice.matches = matches
        #expect(try choice.expression() == expression)
    }

    @Test(
        "words of a filter are none",
        arguments: [["_PID==1"], [#"MESSAGE=~"x""#], ["priority <= err"], [], ["// x"]]
    )
    func others(words: [String]) throws {
        #expect(try JournalMatches(words) == nil)
    }

    @Test(
        "a mistake says what is wrong",
        arguments: [
            (["_PID=1", "x"], "'x' stands beside"), (["_PID=1", "+"], "'+' stands between"),
            (["__CURSOR=1"], "is no field"), (["/nowhere"], "'/nowhere' stands for"), (["/etc"], "neither"),
        ]
    )
    func mistakes(words: [String], message: String) {
        let mistake = #expect(throws: JournalMatchError.self) { try JournalMatches(words) }
        #expect(mistake?.description.contains(message) == true, "\(mistake?.description ?? "")")
    }

    @Test("severities and facilities are written by name or number")
    func written() throws {
        #expect(try EntryChoice.priorities(written: "err") == .emergency ... .error)
        #expect(try EntryChoice.priorities(written: "6..4") == .warning ... .info)
        #expect(try EntryChoice.facilities(written: "auth,local7,3") == [4, 23, 3])
        let mistake = #expect(throws: EntryChoiceError.self) { try EntryChoice.priorities(written: "warn..eror") }
        #expect(mistake?.description.contains("did you mean") == true)
        #expect(throws: EntryChoiceError.self) { try EntryChoice.facilities(written: "24") }
        #expect(throws: EntryChoiceError.self) { try EntryChoice.facilities(written: "") }
    }
}
