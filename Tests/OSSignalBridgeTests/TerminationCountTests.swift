import Glibc
import Testing
@testable import OSSignalBridge

@Suite("Requests to end")
struct TerminationCountTests {
    @Test("the same signal is a second request only after 200 ms, and another signal at once")
    func repetition() {
        let (term, interrupt) = (OSSignal(number: SIGTERM), OSSignal(number: SIGINT))
        var count = TerminationCount()
        count.count(term, at: 1_000)
        #expect(count.request == .graceful(term))
        for time: Int64 in [1_000, 2_000, 200_000_999] {
            count.count(term, at: time)
            #expect(count.request == nil)
        }
        var other = count
        other.count(interrupt, at: 3_000)
        #expect(other.request == .forced(interrupt))
        count.count(term, at: 200_001_000)
        #expect(count.request == .forced(term))
    }
}
