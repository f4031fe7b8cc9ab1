import Filter
import Records
import Testing

@testable import JournalBridge

@Suite("Entries chosen as journalctl does")
struct EntryChoiceTests {
    private func expression(_ set: (inout EntryChoice) -> Void) throws -> String? {
        var choice = EntryChoice()
        set(&choice)
        let expression = try choice.expression(in: .directory("/nothing/there"))
        if let expression { _ = try CompiledFilter(expression, schema: JournalSchema()) }
        return expression
    }

    @Test("nothing that is set chooses all")
    func nothing() throws {
        #expect(try expression { _ in } == nil)
        #expect(try expression { $0.priorities = .emergency ... .debug } == nil)
        #expect(try expression { $0.boot = PeriodChoice("all") } == nil)
    }

    @Test("each part is a condition, and all must hold")
    func parts() throws {
        #expect(try expression { $0.units = ["nginx"] } == #"unit == "nginx.service""#)
        #expect(try expression { $0.priorities = .emergency ... .error } == "priority <= 3")
        #expect(try expression { $0.priorities = .error ... .warning } == "priority >= 3 && priority <= 4")
        #expect(try expression { $0.facilities = [3, 10] } == "SYSLOG_FACILITY in [3, 10]")
        #expect(try expression { $0.pattern = "time.?out" } == #"message =~ "(?i)time.?out""#)
        #expect(try expression { ($0.pattern, $0.isCaseSensitive) = ("time.?out", true) } == #"message =~ "time.?out""#)
        #expect(try expression { $0.since = RecordTime(microseconds: 7) } == "__REALTIME_TIMESTAMP >= 7")
        let both = try expression { ($0.identifiers, $0.isOfKernel) = (["a\"b"], true) }
        #expect(both == "(identifier in [\"a\\\"b\"]\n) && (_TRANSPORT == \"kernel\"\n)")
    }

    @Test(
        "a unit's name with quotes, lines or nothing in it does not break out of its text",
        arguments: ["a\" || true || \"", "a\nb", "", "\\"]
    )
    func hostile(name: String) throws {
        for set in [\EntryChoice.units, \.userUnits, \.identifiers, \.excludedIdentifiers] {
            #expect(try expression { $0[keyPath: set] = [name] } != nil)
        }
    }

    @Test("a period: an id, a number, both, or all")
    func periods() {
        let id = String(repeating: "aF", count: 16)
        #expect(PeriodChoice("0") == .current && PeriodChoice("-1") == .at(-1))
        #expect(PeriodChoice(id)?.isCounted == false && PeriodChoice("\(id)-1")?.isCounted == true)
        #expect(PeriodChoice("all")?.isCounted == false)
        for text in ["", "x", "1x", String(id.dropLast()), "\(id)1", "99999999999"] {
            #expect(PeriodChoice(text) == nil)
        }
    }

    @Test("the chosen one of several, and what is said where there is none")
    func resolved() throws {
        let ids = ["a", "b", "c"]
        #expect(try PeriodChoice.at(0).resolve(among: ids, "boot") == "c")
        #expect(try PeriodChoice.at(-2).resolve(among: ids, "boot") == "a")
        #expect(try PeriodChoice.at(2).resolve(among: ids, "boot") == "b")
        #expect(throws: EntryChoiceError.notFound("the journal has no boot 4, but 3 in all")) {
            try PeriodChoice.at(4).resolve(among: ids, "boot")
        }
        #expect(throws: EntryChoiceError.notFound("the journal has no boot at all")) {
            try PeriodChoice.at(0).resolve(among: [], "boot")
        }
    }

    @Test("invocations are counted of exactly one unit, and boots in a journal that can be read")
    func refused() {
        #expect(throws: EntryChoiceError.ambiguousUnit) { try expression { $0.invocation = .at(-1) } }
        #expect(throws: EntryChoiceError.ambiguousUnit) {
            try expression { ($0.units, $0.invocation) = (["web-*"], .current) }
        }
        #expect(throws: EntryChoiceError.self) { try expression { $0.boot = .at(-1) } }
    }
}
