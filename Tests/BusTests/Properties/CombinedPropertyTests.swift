import Bus
import BusTesting
import Testing

@Suite("Combined properties")
struct CombinedPropertyTests {
    @Test func combiningPropertiesOfDifferentTypesFollowsEachOfThem() {
        let (count, name, flag) = (MutableProperty(1), MutableProperty("a"), Property(constant: true))
        let combined = Properties.combineLatest(count, name, flag)
        let heard = Log<String>()
        _ = combined.values.subscribe(next: { count, name, flag in heard.append("\(count)\(name)\(flag)") })
        count.value = 2
        name.value = "b"
        #expect(heard.entries == ["1atrue", "2atrue", "2btrue"])
        #expect(combined.value == (2, "b", true))
    }

    @Test func twoPropertiesCombineAndMap() {
        let (low, high) = (MutableProperty(1), MutableProperty(10))
        let width = low.combineLatest(high).map { $0.1 - $0.0 }
        let recorder = Recorder(width.values)
        low.value = 4
        #expect(width.value == 6)
        #expect(recorder.values == [9, 6])
    }

    @Test func aCombinedPropertyCompletesWhenAllOfThemHaveDied() {
        var first: MutableProperty<Int>? = MutableProperty(1)
        var second: MutableProperty<Int>? = MutableProperty(2)
        let combined = first.flatMap { first in second.map { first.combineLatest($0) } }
        let recorder = combined.map { Recorder($0.map { $0.0 + $0.1 }.values) }
        first = nil
        second?.value = 3
        #expect(recorder?.events == [.next(3), .next(4)])
        second = nil
        #expect(recorder?.events == [.next(3), .next(4), .completed])
    }
}

@Suite("Properties in step")
struct ZippedPropertyTests {
    @Test func zippedPropertiesPairTheirValuesInStep() {
        let (first, second) = (MutableProperty(1), MutableProperty("a"))
        let zipped = first.zip(second)
        let heard = Log<String>()
        _ = zipped.values.subscribe(next: { heard.append("\($0)\($1)") })
        first.value = 2
        first.value = 3
        #expect(zipped.value == (1, "a"))
        second.value = "b"
        #expect(zipped.value == (2, "b"))
        second.value = "c"
        #expect(heard.entries == ["1a", "2b", "3c"])
    }

    @Test func itFollowsOnlyWhileSomebodyHasIt() {
        final class Box: Sendable {}
        let (first, second) = (MutableProperty<Box?>(nil), MutableProperty(2))
        /// Whether a follower keeps the new value until the other property has caught up.
        func isFollowed() -> Bool {
            weak var waiting: Box?
            do {
                let box = Box()
                waiting = box
                first.value = box
            }
            first.value = nil
            return waiting != nil
        }
        var zipped: Property<(Box?, Int)>? = Properties.zip(first, second)
        #expect(isFollowed())
        let subscription = zipped?.values.subscribe(next: { _ in })
        zipped = nil
        #expect(isFollowed())
        subscription?.dispose()
        #expect(!isFollowed())
    }

    @Test func itCompletesWhenOneHasDiedAndWhatWasSaidIsUsedUp() {
        var first: MutableProperty<Int>? = MutableProperty(1)
        let second = MutableProperty(10)
        let zipped = first.map { $0.zip(second) }
        let recorder = zipped.map { Recorder($0.map { $0.0 + $0.1 }.values) }
        first?.value = 2
        first = nil
        second.value = 20
        #expect(recorder?.events == [.next(11), .next(22), .completed])
    }
}
