import Bus
import Testing

@Suite("Subjects and properties can be dumped")
struct SubjectDumpTests {
    /// What `dump` prints. It would end the process at a property that is not copyable.
    private func text(of value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test("each of them, also as part of another value")
    func dumped() {
        let subject = Subject<Int, Never>()
        let property = MutableProperty(1)
        #expect(text(of: subject).contains("Subject"))
        #expect(text(of: ReplaySubject<Int, Never>(capacity: 2)).contains("ReplaySubject"))
        #expect(text(of: CurrentValueSubject<Int, Never>(1)).contains("CurrentValueSubject"))
        #expect(text(of: property).contains("MutableProperty"))
        #expect(text(of: [subject.map { $0 + 1 }.eraseToAnySignal()]).contains("AnySignal"))
        #expect(text(of: (subject, property, subject.share())).contains("Subject"))
    }
}
