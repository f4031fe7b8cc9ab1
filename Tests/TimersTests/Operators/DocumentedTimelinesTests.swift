import Bus
import BusTesting
import Testing
import Timers

/// The timelines of the article "Operators that wait", one by one.
@Suite("The documented timelines")
struct DocumentedTimelinesTests {
    static let source = "self -12-3--------4-----5-6-----|\n"

    @Test("debounce, throttle and sample, side by side")
    func sideBySide() {
        let four = Duration.columns(4)
        #expect(violations(Self.source + "out --------3--------4-------6-|") { $0.debounce(four, on: $1) } == [])
        #expect(
            violations(Self.source + "out -1-----------4-----5-------|") { $0.debounce(four, edge: .leading, on: $1) }
                == []
        )
        #expect(
            violations(Self.source + "out -------3---------4-------6-|") {
                $0.debounce(four, maxWait: .columns(6), on: $1)
            } == []
        )
        #expect(violations(Self.source + "out -1---3-------4-----5---6---|") { $0.throttle(four, on: $1) } == [])
        #expect(
            violations(Self.source + "out -1-----------4-----5-------|") { $0.throttle(four, edges: .leading, on: $1) }
                == []
        )
        #expect(
            violations(Self.source + "out -----3-----------4---5---6-|") { $0.throttle(four, edges: .trailing, on: $1) }
                == []
        )
        #expect(
            violations(Self.source + "out -----3---------4----5----6-|") {
                $0.sample(every: .columns(5), on: $1)
            } == []
        )
    }
}
