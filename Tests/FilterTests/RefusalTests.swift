import Testing

@testable import Filter

@Suite struct RefusalTests {
    @Test(arguments: Refusals.all)
    func `a wrong expression is refused with its place, what was found and what would be right`(row: Refusal) {
        #expect(refusal(of: row.expression) == row.rendered)
    }

    @Test(arguments: [
        "pid == '123'", "pid == '-5'", "pid == '0x1F'", "pid in ['1.5']", "seqnum == '7'", "load < '.5'", "pid == '+5'",
        "pid == '5.'", "pid == '0x10p2'", "pid == '99999999999999999999'", "pid == '-9223372036854775809'",
        "pid == '1e999'", "load == 'nan'", "unit == b'x'", "unit == rb'x'", "unit == Rb\"b\"", "unit == BR'''b'''",
        "unit in [rb'x']", "b'x' == unit", "unit == b'\\xFF'", "bytes(unit) == r'x'", "unit == 3", "kernel == 'true'",
        "time > 5", "age > 3",
    ])
    func `a correction is no mistake itself`(expression: String) throws {
        let message = try #require(refusal(of: expression)?.split(separator: "\n").first)
        guard let advice = message.split(separator: "; write ", maxSplits: 1).dropFirst().first else { return }
        let list = expression.firstIndex(of: "[").map { "\(expression[...$0])\(advice)]" }
        #expect(refusal(of: list ?? String(advice)) == nil, "\(message)")
    }

    @Test func `text that is no number of the language is not offered as one`() throws {
        for text in ["+5", "5.", "0x10p2", "99999999999999999999"] {
            #expect(try #require(refusal(of: "pid == '\(text)'")).contains("write pid") == false)
        }
        #expect(try #require(refusal(of: "unit == rb'x'")).contains("write unit == r'x'"))
    }

    @Test func `the table has at least forty rows`() {
        #expect(Refusals.all.count >= 40)
        #expect(Set(Refusals.all.map(\.expression)).count == Refusals.all.count)
    }
}
