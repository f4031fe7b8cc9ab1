import Bus
import BusTesting
import Testing

private final class Station {
    @Observed var temperature = 20
    @ObservedChanges var pressure = 1000
}

@Suite("@Observed and @ObservedChanges")
struct ObservedTests {
    @Test func thePresentValueIsHeardAtOnceAndThenEverySetEqualOrNot() {
        let station = Station()
        station.temperature = 21
        let recorder = Recorder(station.$temperature)
        #expect(recorder.values == [21])
        station.temperature = 22
        station.temperature = 22
        #expect(recorder.values == [21, 22, 22])
        #expect(station.temperature == 22)
    }

    @Test func changesAreHeardWithoutThePresentValue() {
        let station = Station()
        let heard = Log<String>()
        _ = station.$pressure.subscribe(next: { heard.append("\($0.old)→\($0.new)") })
        station.pressure = 990
        station.pressure += 5
        #expect(heard.entries == ["1000→990", "990→995"])
    }

    @Test func theSetHasHappenedWhenItIsHeardAndTheVariableMayBeLookedAtMeanwhile() {
        // Not Sendable, but never accessed by two threads.
        nonisolated(unsafe) let station = Station()
        let seen = Log<Int>()
        let seeing = station.$temperature.subscribe(next: { _ in
            seen.append(station.temperature)
            if station.temperature == 21 { station.temperature = 22 }
        })
        defer { seeing.dispose() }
        station.temperature = 21
        #expect(seen.entries == [20, 21, 22])
    }

    @Test func itCompletesWhenTheObjectDies() {
        var station: Station? = Station()
        let signal = station?.$temperature
        let recorder = signal.map { Recorder($0) }
        let changes = station.map { Recorder($0.$pressure) }
        station = nil
        #expect(recorder?.events == [.next(20), .completed])
        #expect(changes?.hasEnded == true)
        #expect(signal.map { Recorder($0).events } == [.completed])
    }

    @Test func combiningTwoSendsThePresentValuesDuringSubscribe() {
        let station = Station()
        let warm = Recorder(station.$temperature.map { $0 > 20 }.removeDuplicates())
        #expect(warm.values == [false])
        station.temperature = 30
        station.temperature = 31
        #expect(warm.values == [false, true])
    }
}
