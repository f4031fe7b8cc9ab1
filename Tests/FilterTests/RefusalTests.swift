import Testing

@testable import Filter

@Suite struct RefusalTests {
    @Test(arguments: Refusals.all)
    func `a wrong expression is refused with its place, what was found and what would be right`(row: Refusal) {
        #expect(refusal(of: row.expression) == row.rendered)
    }

    @Test func `the table has at least forty rows`() {
        #expect(Refusals.all.count >= 40)
        #expect(Set(Refusals.all.map(\.expression)).count == Refusals.all.count)
    }
}
