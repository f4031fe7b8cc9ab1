import Bus
import BusTesting
import Foundation
import JournalBridge
import NotificationBridge
import TestSupport
import Testing
import Timers

extension Topic where Value == Int {
    fileprivate static let levels = Topic("battery.level")
    fileprivate static let beats = Topic("clock.beat")
}

extension Topic where Value == String {
    fileprivate static let messages = Topic("journal.message")
}

private final class Battery: LifetimeOwner {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
}

@Suite("Sources mounted on topics in one line of code")
struct MountTests {
    let bus = NotificationBus()

    // MARK: NotificationCenter

    private let name = Notification.Name("busctl-rx test, mounted")

    private func post(_ level: Int, _ center: NotificationCenter, object: Any? = nil) {
        center.post(name: name, object: object, userInfo: [NotificationCenter.valueKey: level])
    }

    @Test("Notifications are heard on the topic in order, until the mount is disposed of")
    func notifications() {
        let center = NotificationCenter()
        let recorder = Recorder(bus.signal(for: .levels))
        let mount = center.notifications(named: name, carrying: Int.self).post(to: .levels, on: bus)
        for level in 1...3 { post(level, center) }
        #expect(recorder.values == [1, 2, 3])
        mount.dispose()
        post(4, center)
        bus.post(5, to: .levels)
        #expect(recorder.values == [1, 2, 3, 5])
        #expect(!recorder.hasEnded)
    }

    @Test("The end of the notifications is not posted: the topic continues")
    func notificationsEnd() {
        let center = NotificationCenter()
        let recorder = Recorder(bus.signal(for: .levels))
        let ended = Heard<Bool>()
        var battery: Battery? = Battery()
        let mount = center.notifications(named: name, object: battery, carrying: Int.self)
            .on(completed: { ended.append(true) })
            .post(to: .levels, on: bus)
        post(1, center, object: battery)
        battery = nil
        #expect(ended.values == [true])
        bus.post(2, to: .levels)
        #expect(recorder.values == [1, 2])
        #expect(!recorder.hasEnded)
        mount.dispose()
    }

    @Test("When the bus is closed, the next notification ends the mount")
    func closedBus() {
        let center = NotificationCenter()
        let ended = Heard<Bool>()
        let recorder = Recorder(bus.signal(for: .levels))
        let mount = center.notifications(named: name, carrying: Int.self)
            .on(completed: { ended.append(true) })
            .post(to: .levels, on: bus)
        bus.close()
        post(1, center)
        post(2, center)
        #expect(recorder.values.isEmpty && recorder.hasEnded)
        #expect(ended.values == [true])
        mount.dispose()
    }

    // MARK: Timers

    @Test("Ticks are heard on the topic when they are due")
    func timer() {
        let time = TestScheduler()
        let recorder = Recorder(bus.signal(for: .beats), on: time)
        let mount = Signals.interval(every: .seconds(1), on: time).map(\.index).post(to: .beats, on: bus)
        time.advance(by: .seconds(3))
        #expect(recorder.marbles(step: .seconds(1)) == "-012")
        mount.dispose()
        time.advance(by: .seconds(3))
        #expect(recorder.values == [0, 1, 2])
        #expect(time.pendingCount == 0)
    }

    // MARK: The journal

    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Examples/sample.export").standardized.path

    @Test("Entries are heard on the topic in order, and a slow subscriber makes the reader wait if requested")
    func entries() throws {
        let expected = Recorder(Signals.journalExport(path: Self.sample).compactMap { $0.entry?["MESSAGE"] })
        expected.waitForEnd()
        #expect(expected.values.count > 10)
        let slow = bus.signal(for: .messages, limit: 2).deliver(on: ThreadScheduler(name: "slow"), limit: 1)
        let recorder = Recorder(slow.take(first: expected.values.count))
        let mount = Signals.journalExport(path: Self.sample).compactMap { $0.entry?["MESSAGE"] }
            .post(to: .messages, on: bus, waitsForCapacity: true, failed: { Issue.record("\($0)") })
        recorder.waitForEnd()
        #expect(recorder.values == expected.values)
        #expect(recorder.lost == 0)
        mount.dispose()
    }

    @Test("A stream that cannot be read is a failure of the mount only")
    func missingStream() {
        let recorder = Recorder(bus.signal(for: .messages))
        let failures = Subject(of: String.self)
        let failed = Recorder(failures.take(first: 1))
        let mount = Signals.journalExport(path: "/nowhere").compactMap { $0.entry?["MESSAGE"] }
            .post(to: .messages, on: bus, failed: { failures.send("\($0)") })
        failed.waitForEnd()
        #expect(failed.values == ["cannot open /nowhere: No such file or directory"])
        bus.post("by hand", to: .messages)
        #expect(recorder.values == ["by hand"] && !recorder.hasEnded)
        mount.dispose()
    }
}
