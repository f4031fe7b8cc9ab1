import Testing

@testable import Bus

@Suite("The handles of inner signals")
struct InnerHandlesTests {
    @Test func handlesThatCameLateAreDisposedOf() {
        let handles = InnerHandles()
        let log = Log<Int>()
        let first = handles.start()
        handles.started(first, ActionDisposable { log.append(1) })
        let second = handles.start()
        handles.dispose()
        handles.started(second, ActionDisposable { log.append(2) })
        #expect(log.entries == [1, 2])
    }

    @Test func thePlaceOfASignalThatEndedIsUsedAgain() {
        let handles = InnerHandles()
        for _ in 0..<100 {
            let key = handles.start()
            handles.started(key, ActionDisposable {})
            handles.ended(key)
        }
        #expect(handles.start().place < 3)
    }
}
