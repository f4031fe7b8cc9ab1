import Bus
import Testing

@Suite("A signal as an existential")
struct AnyOfSignalTests {
    @Test("its values are iterated over like those of any signal")
    func values() async throws {
        let numbers: any Signal<Int, Never> = Signals.from(1...3)
        var sum = 0
        for try await number in numbers.values() { sum += number }
        #expect(sum == 6)
    }
}
