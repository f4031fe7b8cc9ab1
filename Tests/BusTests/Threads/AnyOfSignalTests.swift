import Bus
import Testing

@Suite("A signal whose type is forgotten by the language")
struct AnyOfSignalTests {
    @Test("its values are walked as those of any signal")
    func values() async throws {
        let numbers: any Signal<Int, Never> = Signals.from(1...3)
        var sum = 0
        for try await number in numbers.values() { sum += number }
        #expect(sum == 6)
    }
}
