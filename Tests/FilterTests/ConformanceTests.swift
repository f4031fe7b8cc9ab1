import Testing

@testable import Filter

/// The public conformance suite of CEL, without exceptions.
@Suite struct ConformanceTests {
    @Test func `every case gives the suite's value or an error`() throws {
        let cases = try ConformanceCase.all()
        for testCase in cases {
            if case .failed(let why) = try testCase.run() {
                Issue.record("\(testCase.title): \(testCase.expression)\n\(why)")
            }
        }
        #expect(cases.count >= 1109)
    }
}
