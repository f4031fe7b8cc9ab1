import Bus
import BusTesting
import Testing

@Suite("attemptMap with typical closures")
struct AttemptMapTests {
    private struct NoNumber: Error, Equatable { let text: String }

    private func parse(_ text: String) throws -> Int {
        guard let number = Int(text) else { throw NoNumber(text: text) }
        return number
    }

    private func expectNoNumber(_ signal: some Signal<Int, any Error>) {
        let (values, failures) = (Log<Int>(), Log<any Error>())
        _ = signal.subscribe(next: { values.append($0) }, failed: { failures.append($0) })
        #expect(values.entries == [1])
        #expect(failures.entries.map { $0 as? NoNumber } == [NoNumber(text: "x")])
    }

    @Test("a closure that throws anything, over signals of any failure")
    func untyped() {
        let words = Signals.from(["1", "x", "2"])
        expectNoNumber(words.attemptMap { try parse($0) })
        expectNoNumber(words.promoteFailure(to: TestFailure.self).attemptMap { try parse($0) })
        expectNoNumber(words.promoteFailure(to: (any Error).self).attemptMap { try parse($0) })
    }
}
