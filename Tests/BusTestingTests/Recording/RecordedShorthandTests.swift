import Bus
import BusTesting
import Testing

/// Written like a test that was ported from RxTest.
@Suite("Scripts and timelines in RxTest's notation")
struct RecordedShorthandTests {
    @Test("a cold source, from a subscription to a disposal")
    func cold() {
        let time = TestScheduler()
        let source: ColdSource<Int, TestFailure> = time.cold([.next(10, 1), .next(20, 2), .failed(30, "broken")])
        let whole = time.start { source.map { $0 * 10 } }
        #expect(whole.timeline == [.next(210, 10), .next(220, 20), .failed(230, "broken")])

        let part = time.start(subscribed: 0, disposed: 15) { source }
        #expect(part.timeline == [.next(1010, 1)])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a hot source")
    func hot() {
        let time = TestScheduler()
        let source: ProbeSource<Int, Never> = time.hot([.next(150, 1), .next(210, 2), .next(220, 3), .completed(250)])
        let heard = time.start(subscribed: 200, disposed: 300) { source }
        #expect(heard.timeline == [.next(210, 2), .next(220, 3), .completed(250)])
    }
}
