import Bus
import BusTesting
import Testing
import Timers

@Suite("timeout that ends, or falls back")
struct TimeoutEndingTests {
    @Test("silence ends it")
    func completes() {
        #expect(
            violations(
                """
                self     --1---2-----------3--
                timeout  --1---2----|
                """
            ) { $0.timeout(.columns(5), ending: .completed, on: $1) } == []
        )
        #expect(
            violations("self --1--------2-\ntimeout --1--|") {
                $0.timeout(.columns(5), .total, ending: .completed, on: $1)
            } == []
        )
        #expect(
            violations("self --1------|\ntimeout --1------|") {
                $0.timeout(.columns(5), .first, ending: .completed, on: $1)
            } == []
        )
        #expect(
            violations("self --1---2---\ntimeout --1---2----x") {
                $0.timeout(.columns(5), ending: .failed("x"), on: $1)
            } == []
        )
        #expect(violations("self --1--x\ntimeout --1--x") { $0.timeout(.columns(5), ending: .completed, on: $1) } == [])
    }

    @Test("after silence the other signal takes over, once the source is released")
    func fallsBack() {
        #expect(
            Diagram(
                """
                self     --1---2-----------3--
                self     ^----------!
                other               4--5|
                other               ^---!
                timeout  --1---2----4--5|
                """
            ).violations {
                $0.hot("self").timeout(.columns(5), fallingBackTo: $0.cold("other"), on: $0.time)
            } == []
        )
    }

    @Test("without silence the other signal is never subscribed to")
    func doesNotFallBack() {
        for end in ["|", "x"] {
            #expect(
                Diagram("self  --1---2-\(end)\nother 9\nout   --1---2-\(end)").violations {
                    let other = $0.cold("other")
                    return $0.hot("self").timeout(.columns(5), fallingBackTo: other, on: $0.time)
                } == []
            )
        }
    }

    @Test("values of the source after its silence are not heard among the other's values")
    func isSwitched() {
        let time = TestScheduler()
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let other = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = time.record(source.timeout(.seconds(1), fallingBackTo: other, on: time))
        source.send(1)
        time.advance(by: .seconds(1))
        #expect(source.liveSubscriptions == 0)
        source.send(2)
        other.send(3)
        time.advance(by: .seconds(5))
        #expect(other.liveSubscriptions == 1, "the other may be as silent as it likes")
        recorder.dispose()
        #expect(other.liveSubscriptions == 0)
        #expect(recorder.values == [1, 3])
    }
}
