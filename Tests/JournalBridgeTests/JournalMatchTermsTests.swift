import Filter
import Testing

@testable import JournalBridge

@Suite("Matches in the form of the journal's index")
struct JournalMatchTermsTests {
    private func term(_ field: String, _ value: String) -> Match { .term(field: field, value: Array(value.utf8)) }
    private func values(_ values: String...) -> [[UInt8]] { values.map { Array($0.utf8) } }

    @Test("a filter that narrows nothing, and one that selects nothing")
    func ends() {
        #expect(MatchTerms(.everything).conditions.isEmpty)
        #expect(!MatchTerms(.everything).isNothing)
        #expect(MatchTerms(.nothing).isNothing)
        #expect(MatchTerms(.any([term("A", "1"), .everything])).conditions.isEmpty)
    }

    @Test("different required fields fit into one condition")
    func conjunction() {
        #expect(
            MatchTerms(.all([term("A", "1"), term("B", "2")])).conditions == [[["A": values("1"), "B": values("2")]]]
        )
    }

    @Test("one field with several values is one test")
    func sameFieldAlternatives() {
        let match = Match.any([term("A", "1"), term("A", "2"), term("A", "1")])
        #expect(MatchTerms(match).conditions == [[["A": values("1", "2")]]])
    }

    @Test("one field with two required values takes two conditions")
    func sameFieldTwice() {
        let match = Match.all([term("A", "1"), term("A", "2")])
        #expect(MatchTerms(match).conditions == [[["A": values("1")]], [["A": values("2")]]])
    }

    @Test("alternatives of combinations stay alternatives")
    func disjunction() {
        let match = Match.any([.all([term("A", "1"), term("B", "2")]), term("C", "3")])
        #expect(MatchTerms(match).conditions == [[["A": values("1"), "B": values("2")], ["C": values("3")]]])
    }

    @Test("combinations that differ in one field's values are one combination")
    func merging() {
        func unit(_ name: String) -> Match { .any([term("U", name), .all([term("P", "1"), term("N", name)])]) }
        #expect(
            MatchTerms(.any([unit("x"), unit("y")])).conditions == [
                [["U": values("x", "y")], ["P": values("1"), "N": values("x", "y")]]
            ]
        )
        // These differ in two.
        let apart = Match.any([.all([term("A", "1"), term("B", "1")]), .all([term("A", "2"), term("B", "2")])])
        #expect(MatchTerms(apart).conditions[0].count == 2)
    }

    @Test("terms can be turned back into a match")
    func roundTrip() {
        let match = Match.all([term("A", "1"), .any([term("B", "2"), term("B", "3")])])
        #expect(MatchTerms(match).match == match)
        #expect(MatchTerms(.nothing).match == .nothing)
        #expect(MatchTerms(.everything).match == .everything)
    }

    @Test("a unit together with a priority")
    func unitAndPriority() {
        let unit = Match.any([term("U", "x"), .all([term("P", "1"), term("N", "x")])])
        let match = Match.all([unit, .any([term("PRIORITY", "0"), term("PRIORITY", "1")])])
        #expect(
            MatchTerms(match).conditions == [
                [["PRIORITY": values("0", "1")]], [["U": values("x")], ["P": values("1"), "N": values("x")]],
            ]
        )
    }

    @Test("beyond 160 terms the widest condition is left to the filter")
    func tooManyTerms() {
        let wide = Match.any((0..<161).map { term("A", "\($0)") })
        #expect(MatchTerms(wide).conditions.isEmpty)
        #expect(MatchTerms(.all([wide, term("B", "1")])).conditions == [[["B": values("1")]]])
    }
}
