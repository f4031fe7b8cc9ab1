import JournalBridge
import Testing

@testable import busctl_rx

@Suite("How far a search has come, in words")
struct SearchEstimateTests {
    @Test("the rest is estimated from what was passed")
    func estimate() {
        func text(_ passed: UInt64, _ whole: UInt64, _ seconds: Int) -> String? {
            SearchEstimate.text([.init(passed: passed, whole: whole)], after: .seconds(seconds))
        }
        #expect(SearchEstimate.text([], after: .seconds(1)) == nil && text(0, 0, 1) == nil)
        #expect(text(0, 1000, 5) == "searched 0 %" && text(9, 1000, 5) == "searched 0 %")
        #expect(text(10, 1000, 5) == "searched 1 %, about 9 min left")
        #expect(text(500, 1000, 5) == "searched 50 %, about 5 s left")
        #expect(text(999, 1000, 1) == "searched 99 %, about 1 s left" && text(1000, 1000, 5) == "searched 100 %")
        #expect(text(10, 1000, 400) == "searched 1 %, about 11 h left")
        let two = [SearchProgress.Share(passed: 50, whole: 100), .init(passed: 0, whole: 100)]
        #expect(SearchEstimate.text(two, after: .seconds(10)) == "searched 25 %, about 30 s left")
    }
}
