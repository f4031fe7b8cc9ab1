import Bus
import BusTesting
import Testing

@Suite("assign(to:onWeak:) and assign(to:)")
struct AssignTests {
    typealias Source = ProbeSource<Int, Never>

    @Test func theVariableIsSetToEachValueAndTheObjectNotKept() {
        let source = Source()
        var guest: Guest? = Guest()
        weak let watched = guest
        if let guest { source.assign(to: \.level, onWeak: guest) }
        source.send(1)
        source.send(2)
        #expect(guest?.heard.entries == [1, 2])
        guest = nil
        #expect(watched == nil)
        source.send(3)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func theBindingEndsAtOnceWithAnObjectThatSaysHowLongItLives() {
        let source = Source()
        var resident: Resident? = Resident()
        if let resident { source.assign(to: \.level, onWeak: resident) }
        #expect(source.liveSubscriptions == 1)
        resident = nil
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aVariableIsBoundToOneSignalAtATime() {
        let (first, second) = (Source(), Source())
        let guest = Guest()
        let binding = first.assign(to: \.level, onWeak: guest)
        second.assign(to: \.level, onWeak: guest)
        #expect(binding.isDisposed)
        first.send(1)
        second.send(2)
        #expect(guest.heard.entries == [2])
        #expect(first.liveSubscriptions == 0)

        let other = Guest()
        first.assign(to: \.level, onWeak: other)
        #expect(second.liveSubscriptions == 1)
    }

    @Test func aFinishedBindingMakesRoomAndTouchesNoOther() {
        let (first, second) = (Source(), Source())
        let guest = Guest()
        let binding = first.assign(to: \.level, onWeak: guest)
        binding.dispose()
        let other = second.assign(to: \.level, onWeak: guest)
        binding.dispose()
        first.complete()
        second.send(2)
        #expect(!other.isDisposed)
        #expect(guest.heard.entries == [2])
        other.dispose()
        second.send(3)
        #expect(guest.heard.entries == [2])
    }

    @Test func aPropertyIsSetToEachValueAndNotKept() {
        let source = Source()
        var property: MutableProperty<Int>? = MutableProperty(0)
        weak let watched = property
        if let property { source.assign(to: property) }
        source.send(1)
        #expect(property?.value == 1)
        property = nil
        #expect(watched == nil)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aPropertyIsBoundToOneSignalAtATimeAndDoesNotEndWithIt() {
        let (first, second) = (Source(), Source())
        let property = MutableProperty(0)
        let recorder = Recorder(property.values)
        first.assign(to: property)
        second.assign(to: property)
        #expect(first.liveSubscriptions == 0)
        second.send(2)
        second.complete()
        property.value = 3
        #expect(recorder.events == [.next(0), .next(2), .next(3)])
    }

    @Test func propertiesBoundToEachOtherAreNoCycleAndSettle() {
        var first: MutableProperty<Int>? = MutableProperty(1)
        var second: MutableProperty<Int>? = MutableProperty(2)
        weak let (watchedFirst, watchedSecond) = (first, second)
        if let first, let second {
            first.values.removeDuplicates().assign(to: second)
            second.values.removeDuplicates().assign(to: first)
            first.value = 5
            #expect(second.value == 5)
            second.value = 6
            #expect(first.value == 6)
        }
        first = nil
        second = nil
        #expect(watchedFirst == nil)
        #expect(watchedSecond == nil)
    }

    @Test func bindingsOfSeveralThreads() {
        let guest = Guest()
        let sources = (0..<4).map { _ in Source() }
        let group = Threads()
        for source in sources {
            group.start {
                for value in 0..<200 {
                    source.assign(to: \.level, onWeak: guest)
                    source.send(value)
                }
            }
        }
        group.wait()
        let live = sources.reduce(0) { $0 + $1.liveSubscriptions }
        #expect(live == 1)
    }

    @Test func aSignalBoundByASubscriberStaysBound() {
        let property = MutableProperty(0)
        let (first, second) = (CurrentValueSubject(1), CurrentValueSubject(10))
        let watching = property.values.subscribe(next: { if $0 == 1 { second.assign(to: property) } })
        defer { watching.dispose() }
        first.assign(to: property)
        first.value = 2
        #expect(property.value == 10)
        second.value = 11
        #expect(property.value == 11)
    }
}
