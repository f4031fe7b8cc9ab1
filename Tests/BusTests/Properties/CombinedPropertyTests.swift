import Bus
import BusTesting
import Testing

@Suite("Properties combined")
struct CombinedPropertyTests {
    @Test func combiningPropertiesOfDifferentTypesFollowsEachOfThem() {
        let (count, name, flag) = (MutableProperty(1), MutableProperty("a"), Property(constant: true))
        let combined = Properties.combineLatest(count, name, flag)
        let heard = Log<String>()
        combined.values.subscribe(next: { count, name, flag in heard.append("\(count)\(name)\(flag)") })
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
