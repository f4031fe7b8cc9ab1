import Testing

@testable import Filter

@Suite struct RefusalTests {
    @Test(arguments: Refusals.all)
    func `a wrong expression is refused with its place, what was found and what would be right`(row: Refusal) {
        #expect(refusal(of: row.expression) == row.rendered)
    }

    @Test(arguments: [
        ("pid == '123'", "pid == 123"), ("pid == '-5'", "pid == -5"), ("pid == '0x1F'", "pid == 0x1F"),
        ("pid in ['1.5']", "1.5"), ("seqnum == '7'", "seqnum == 7"), ("load < '.5'", "load < .5"),
        ("unit == b'x'", "unit == 'x'"), ("unit == rb'x'", "unit == r'x'"), ("unit == Rb\"b\"", "unit == R\"b\""),
        ("unit == BR'''b'''", "unit == R'''b'''"), ("unit in [rb'x']", "r'x'"), ("b'x' == unit", "'x' == unit"),
        ("unit == b'\\xFF'", "bytes(unit) == b'\\xFF'"), ("bytes(unit) == r'x'", "bytes(unit) == br'x'"),
        ("unit == 3", "unit == \"3\""), ("kernel == 'true'", "kernel == true"), ("time > 5", "time > timestamp(5)"),
        ("age > 3", "age > duration(\"3s\")"),
    ])
    func `a correction is no mistake itself`(expression: String, correction: String) throws {
        let message = try #require(refusal(of: expression)?.split(separator: "\n").first)
        #expect(message.hasSuffix("; write \(correction)"), "\(message)")
        let list = expression.firstIndex(of: "[").map { "\(expression[...$0])\(correction)]" }
        #expect(refusal(of: list ?? correction) == nil)
    }

    @Test(arguments: [
        "pid == '+5'", "pid == '5.'", "pid == '0x10p2'", "pid == '99999999999999999999'",
        "pid == '-9223372036854775809'", "pid == '1e999'", "load == 'nan'",
    ])
    func `text that is no number of the language is not offered as one`(expression: String) throws {
        #expect(try !#require(refusal(of: expression)).contains("; write "))
    }

    @Test func `the table has at least forty rows`() {
        #expect(Refusals.all.count >= 40)
        #expect(Set(Refusals.all.map(\.expression)).count == Refusals.all.count)
    }
}
