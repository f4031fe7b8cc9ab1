import Bus
import BusTesting
import TestSupport
import Testing
import Timers

@testable import Records

@Suite("Operators of time on records")
struct RecordTimingTests {
    private let time = TestScheduler()
    private let source = ProbeSource(of: Record.self, failure: TestFailure.self)

    private func record(_ unit: String, _ message: String) -> Record {
        Record(source: "a", time: 0, sequence: 1, content: RecordFields(message: message, ["unit": .text(unit)]))
    }

    private func heard(_ timing: RecordTiming) -> Recorder<String, TestFailure> {
        Recorder(source.timed(timing, on: time).map { $0.message ?? "" })
    }

    @Test("the records of each value are treated by themselves; one without the field has a group, too")
    func grouped() throws {
        var timing = try RecordTiming(by: "unit")
        timing.throttle = .seconds(10)
        timing.isDistinct = true
        let heard = heard(timing)
        for (unit, message) in [("x", "1"), ("y", "1"), ("x", "2"), ("x", "3"), ("y", "1")] {
            source.send(record(unit, message))
            time.advance(by: .seconds(1))
        }
        source.send(Record(source: "a", time: 0, sequence: 1, content: RecordFields(message: "0")))
        #expect(heard.values == ["1", "1", "0"])
        time.advance(by: .seconds(10))
        #expect(heard.values == ["1", "1", "0", "3"])
        source.complete()
        #expect(heard.hasEnded && source.liveSubscriptions == 0)
    }

    @Test("a group whose time is over does not begin anew, and the others go on")
    func length() throws {
        var timing = try RecordTiming(by: "unit")
        timing.length = .seconds(5)
        let heard = heard(timing)
        source.send(record("x", "x1"))
        time.advance(by: .seconds(3))
        source.send(record("y", "y1"))
        time.advance(by: .seconds(3))
        source.send(record("x", "x2"))
        source.send(record("y", "y2"))
        #expect(heard.values == ["x1", "y1", "y2"])
        source.complete()
    }

    @Test("without a field they are for all, the rate leaves out what is beyond it, and the length ends all")
    func together() throws {
        var timing = try RecordTiming()
        timing.rate = (2, .seconds(10))
        timing.delay = .seconds(1)
        timing.length = .seconds(60)
        let heard = heard(timing)
        for number in 0..<6 { source.send(record("x", "\(number)")) }
        #expect(heard.values == [])
        time.advance(by: .seconds(1))
        #expect(heard.values == ["0", "1"])
        time.advance(by: .seconds(30))
        #expect(heard.values == ["0", "1", "2", "3"] && heard.lost == 2)
        time.advance(by: .seconds(30))
        #expect(heard.hasEnded && source.liveSubscriptions == 0 && time.pendingCount == 0)
    }

    /// The records that are heard of more values than can be told apart: two of the first, and one of each other; then one of the first.
    private func heardOfMany(_ set: (inout RecordTiming) -> Void) throws -> (before: [String], after: [String]) {
        var timing = try RecordTiming(by: "unit")
        set(&timing)
        let source = ProbeSource(of: Record.self, failure: TestFailure.self)
        let heard = Recorder(source.timed(timing, on: time).map { $0.message ?? "" })
        source.send(record("0", "first"))
        for number in 0...4096 { source.send(record("\(number)", "\(number)")) }
        let before = heard.values
        source.send(record("0", "again"))
        defer { source.complete() }
        return (before, Array(heard.values[before.count...]))
    }

    @Test("of too many values the one that was silent longest is forgotten, and what it held back is shown")
    func manyValues() throws {
        let others = (1...4096).map { "\($0)" }
        let distinct = try heardOfMany { $0.isDistinct = true }
        #expect(distinct.before == ["first", "0"] + others && distinct.after == ["again"])
        let throttled = try heardOfMany { $0.throttle = .seconds(10) }
        #expect(throttled.before == ["first"] + others.dropLast() + ["0", "4096"] && throttled.after == ["again"])
        let limited = try heardOfMany { $0.length = .seconds(10) }
        #expect(limited.before == ["first", "0"] + others && limited.after == ["again"])
        for set: (inout RecordTiming) -> Void in [
            { $0.debounce = .seconds(10) }, { $0.sample = .seconds(10) },
        ] {
            let held = try heardOfMany(set)
            #expect(held.before == ["0"] && held.after == ["1"])
        }
    }

    @Test("with a field no record waits for the rate, so that none outlives a group that makes room")
    func rateOfManyValues() throws {
        let rated = try heardOfMany { $0.rate = (1, .seconds(10)) }
        #expect(rated.before == ["first"] + (1...4096).map { "\($0)" } && rated.after == ["again"])
        time.advance()
        #expect(time.pendingCount == 0)
    }

    @Test("with a field and a rate, a source whose observer pauses is paused and loses nothing within the rate")
    func ratePauses() throws {
        var timing = try RecordTiming(by: "unit")
        timing.rate = (2, .seconds(10))
        let heard = PausingRecorder(source.timed(timing, on: time).map { $0.message ?? "" }, after: 1)
        source.send(record("x", "1"))
        #expect(source.demand == .pause)
        heard.release()
        #expect(source.demand == .more)
        source.send(record("x", "2"))
        source.send(record("x", "3"))
        time.advance()
        #expect(heard.values == ["1", "2"] && heard.lost == 1)
        source.complete()
        #expect(heard.hasEnded)
    }

    @Test("a name that no field can have is refused")
    func mistake() {
        #expect(throws: FieldPathError.self) { try RecordTiming(by: "a[") }
    }
}
