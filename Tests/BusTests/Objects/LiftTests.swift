import Bus
import BusTesting
import Testing

private final class Painter: Sendable {
    let log = Log<String>()

    func paint(_ colour: String, times count: Int) -> String {
        log.append("\(colour) \(count)")
        return String(repeating: colour, count: count)
    }
}

@Suite("lift")
struct LiftTests {
    @Test func theMethodIsCalledAtOnceWithTheLatestOfEachListenersOrNone() {
        let (colours, counts) = (ProbeSource<String, Never>(), ProbeSource<Int, Never>())
        let painter = Painter()
        let results = Signals.lift(colours, counts, onWeak: painter) { $0.paint($1, times: $2) }
        colours.send("r")
        #expect(painter.log.entries == [])
        counts.send(1)
        counts.send(2)
        #expect(painter.log.entries == ["r 1", "r 2"])
        let recorder = Recorder(results)
        colours.send("b")
        #expect(recorder.values == ["rr", "bb"])
        #expect(painter.log.entries == ["r 1", "r 2", "b 2"])
    }

    @Test func oneCallServesAllWhoListen() {
        let counts = ProbeSource<Int, TestFailure>()
        let painter = Painter()
        let results = Signals.lift(counts, onWeak: painter) { $0.paint("x", times: $1) }
        let recorders = [Recorder(results), Recorder(results)]
        counts.send(1)
        counts.fail("broken")
        #expect(painter.log.entries == ["x 1"])
        for recorder in recorders { #expect(recorder.events == [.next("x"), .failed("broken")]) }
    }

    @Test func theObjectIsNotKeptAndTheCallsEndWithIt() {
        let counts = ProbeSource<Int, Never>()
        var painter: Painter? = Painter()
        weak let watched = painter
        let results = painter.map { Signals.lift(counts, onWeak: $0) { $0.paint("x", times: $1) } }
        counts.send(1)
        painter = nil
        #expect(watched == nil)
        counts.send(2)
        #expect(counts.liveSubscriptions == 0)
        #expect(results.map { Recorder($0).events } == [.next("x"), .completed])
    }

    @Test func theCallsEndAtOnceWithAnObjectThatSaysHowLongItLives() {
        let counts = ProbeSource<Int, Never>()
        var resident: Resident? = Resident()
        let results = resident.map { Signals.lift(counts, onWeak: $0) { $0.level = $1 } }
        counts.send(1)
        #expect(resident?.level == 1)
        let recorder = results.map { Recorder($0) }
        resident = nil
        #expect(counts.liveSubscriptions == 0)
        #expect(recorder?.hasEnded == true)
    }

    @Test func theCallsEndWhenNobodyHasTheResults() {
        let counts = ProbeSource<Int, Never>()
        let painter = Painter()
        do { _ = Signals.lift(counts, onWeak: painter) { $0.paint("x", times: $1) } }
        #expect(counts.liveSubscriptions == 0)
    }
}
