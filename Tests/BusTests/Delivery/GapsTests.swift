import Testing

@testable import Bus

@Suite("The places of lost values")
struct GapsTests {
    /// What a receiver with a queue of `count` values hears, in order: how many are missing before each, and at the
    /// end.
    private func heard(_ gaps: Gaps, values count: Int) -> [Int] {
        var gaps = gaps
        return (0..<count).map { gaps.take(before: $0) } + [gaps.total]
    }

    @Test func lossesInOnePlaceAreOneGap() {
        var gaps = Gaps()
        gaps.lost(1, before: 2)
        gaps.lost(3, before: 2)
        #expect(heard(gaps, values: 3) == [0, 0, 4, 0])
        #expect(gaps.total == 4)
    }

    @Test func aLossBehindTheLastValueIsHeardAtTheEnd() {
        var gaps = Gaps()
        gaps.lost(2, before: 2)
        #expect(heard(gaps, values: 2) == [0, 0, 2])
    }

    @Test func droppedValuesAreMissingInFront() {
        var gaps = Gaps()
        gaps.firstValueLost()
        gaps.firstValueLost()
        #expect(heard(gaps, values: 2) == [2, 0, 0])
    }

    @Test func aGapMovesForwardWithWhatIsDroppedBeforeIt() {
        var gaps = Gaps()
        gaps.lost(5, before: 2)
        gaps.firstValueLost()
        #expect(heard(gaps, values: 3) == [1, 5, 0, 0])
        gaps.firstValueLost()
        #expect(heard(gaps, values: 3) == [7, 0, 0, 0])
    }

    @Test func aGapInFrontGrowsWithWhatIsDroppedBehindIt() {
        var gaps = Gaps()
        gaps.lost(5, before: 0)
        gaps.firstValueLost()
        #expect(heard(gaps, values: 1) == [6, 0])
        gaps.lost(1, before: 1)
        #expect(heard(gaps, values: 1) == [6, 1])
    }
}
