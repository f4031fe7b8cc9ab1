import Bus
import BusTesting
import Testing

@Suite("Properties derived from others")
struct PropertyTests {
    @Test func aConstantNeverChanges() {
        let property = Property(constant: 3)
        #expect(property.value == 3)
        #expect(Recorder(property.values).events == [.next(3), .completed])
    }

    @Test func aMappedPropertyFollows() {
        let property = MutableProperty(1)
        let doubled = property.map { $0 * 2 }
        let recorder = Recorder(doubled.values)
        property.value = 4
        #expect(doubled.value == 8)
        #expect(doubled.map { "\($0)" }.value == "8")
        #expect(recorder.values == [2, 8])
    }

    @Test func removeDuplicatesLeavesOutRepetitions() {
        let property = MutableProperty(1)
        let recorder = Recorder(property.map { $0 > 2 }.removeDuplicates().values)
        for value in [2, 3, 4, 1] { property.value = value }
        #expect(recorder.values == [false, true, false])
    }

    @Test func aPropertyThatFollowsASignalHasItsLastValueAndEndsWithIt() {
        let source = ProbeSource<Int, Never>()
        let property = Property(initial: 0, then: source)
        #expect(property.value == 0)
        let recorder = Recorder(property.values)
        source.send(1)
        #expect(property.value == 1)
        source.complete()
        #expect(recorder.events == [.next(0), .next(1), .completed])
        #expect(property.value == 1)
    }

    @Test func aPropertyThatFollowsASignalLetsGoOfItWithItsLastReference() {
        let source = ProbeSource<Int, Never>()
        var property: Property<Int>? = Property(initial: 0, then: source)
        var recorder: Recorder<Int, Never>? = property.map { Recorder($0.values) }
        property = nil
        #expect(source.liveSubscriptions == 1)
        source.send(1)
        #expect(recorder?.values == [0, 1])
        recorder?.dispose()
        #expect(source.liveSubscriptions == 0)
        recorder = nil

        property = Property(initial: 0, then: source)
        #expect(source.liveSubscriptions == 1)
        property = nil
        #expect(source.liveSubscriptions == 0)
    }

    @Test func whatFollowsIsFreedWithTheSource() {
        var source: ProbeSource<Int, Never>? = ProbeSource()
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            if let signal = source {
                handle = Property(initial: 0, then: signal).values.subscribe(next: { _ in canary.sing() })
            }
            source?.send(1)
            source = nil
        }
        #expect(!isHeld)
        handle?.dispose()
    }
}
