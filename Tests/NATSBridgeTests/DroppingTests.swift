import Testing

@testable import NATSBridge

/// The limit of the subscription is ten: 1 is being heard and 2 to 11 wait when 12 to 50 are dropped. 2 is heard, so 51 is taken.
@Suite("The places where the losses of a subscription are reported")
struct DroppingTests {
    private static func counts(_ delivered: Int32, _ pending: Int32, _ dropped: Int64) -> NATSDropping.Counts {
        NATSDropping.Counts(delivered: delivered, pending: pending, dropped: dropped)
    }

    @Test("A loss is reported behind the messages that came earlier, with all that were dropped until then")
    func one() {
        var dropping = NATSDropping()
        dropping.begin(Self.counts(1, 10, 1))
        #expect(dropping.takeDue(Self.counts(10, 1, 39)) == 0 && dropping.isWaiting)
        #expect(dropping.takeDue(Self.counts(11, 0, 39)) == 39 && !dropping.isWaiting)
    }

    @Test("Of two losses, the second is reported behind the messages that came between")
    func two() {
        var dropping = NATSDropping()
        dropping.begin(Self.counts(1, 10, 1))
        #expect(dropping.takeDue(Self.counts(2, 9, 39)) == 0)
        dropping.begin(Self.counts(2, 10, 40))
        #expect(dropping.takeDue(Self.counts(10, 2, 48)) == 0)
        #expect(dropping.takeDue(Self.counts(11, 1, 48)) == 39 && dropping.isWaiting)
        #expect(dropping.takeDue(Self.counts(12, 0, 48)) == 9 && !dropping.isWaiting)
    }

    @Test("A third loss before the first was reported is reported with the second, none ahead of earlier messages")
    func third() {
        var dropping = NATSDropping()
        dropping.begin(Self.counts(1, 10, 1))
        dropping.begin(Self.counts(2, 10, 40))
        dropping.begin(Self.counts(3, 10, 49))
        #expect(dropping.takeDue(Self.counts(11, 2, 57)) == 39)
        #expect(dropping.takeDue(Self.counts(12, 1, 57)) == 0)
        #expect(dropping.takeDue(Self.counts(13, 0, 57)) == 18 && !dropping.isWaiting)
    }

    @Test("A third loss after the first was reported has a place of its own")
    func next() {
        var dropping = NATSDropping()
        dropping.begin(Self.counts(1, 10, 1))
        dropping.begin(Self.counts(2, 10, 40))
        #expect(dropping.takeDue(Self.counts(11, 1, 48)) == 39)
        dropping.begin(Self.counts(11, 10, 49))
        #expect(dropping.takeDue(Self.counts(12, 9, 57)) == 9)
        #expect(dropping.takeDue(Self.counts(21, 0, 57)) == 9 && !dropping.isWaiting)
    }

    @Test("A subscription that ends reports all that are left, once")
    func end() {
        var dropping = NATSDropping()
        dropping.begin(Self.counts(1, 10, 1))
        dropping.begin(Self.counts(2, 10, 40))
        #expect(dropping.takeAll(Self.counts(2, 10, 48)) == 48)
        // A message is on its way to the observer meanwhile.
        #expect(dropping.takeDue(Self.counts(11, 1, 48)) == 0)
        #expect(dropping.takeAll(nil) == 0)
    }
}
