import Bus
import BusTesting
import Foundation
import NotificationBridge
import SystemdBridge
import TestSupport
import Testing

extension Topic where Value == Int {
    fileprivate static let levels = Topic("battery.level", keeping: .last)
}

@Suite("Topics forwarded in one line of code")
struct ForwardingTests {
    let bus = NotificationBus()

    @Test("NotificationCenter hears a topic in order, kept values first, until the bus is closed")
    func notifications() {
        let name = Notification.Name("busctl-rx test, forwarded")
        let center = NotificationCenter()
        let recorder = Recorder(center.notifications(named: name, carrying: Int.self))
        bus.post(1, to: .levels)
        let forwarding = bus.signal(for: .levels).post(as: name, to: center)
        for level in 2...4 { bus.post(level, to: .levels) }
        #expect(recorder.values == [1, 2, 3, 4])
        bus.close()
        bus.post(5, to: .levels)
        #expect(recorder.values == [1, 2, 3, 4] && !recorder.hasEnded)
        forwarding.dispose()
        recorder.dispose()
    }

    @Test("A topic can be forwarded to a name that is mounted on another topic")
    func bothWays() {
        let name = Notification.Name("busctl-rx test, both ways")
        let center = NotificationCenter()
        let copy = Topic<Int>("battery.copy")
        let recorder = Recorder(bus.signal(for: copy))
        let parts = CompoundDisposable()
        center.notifications(named: name, carrying: Int.self).post(to: copy, on: bus).store(in: parts)
        bus.signal(for: .levels).post(as: name, to: center).store(in: parts)
        for level in 1...3 { bus.post(level, to: .levels) }
        #expect(recorder.values == [1, 2, 3])
        parts.dispose()
    }

    @Test("The journal gets an entry for each value of a topic, in order, and losses are reported to it")
    func journal() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name)
        let forwarding = bus.signal(for: .levels).write(to: writer) { JournalMessage("level \($0)") }.subscribe()
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let mount = source.post(to: .levels, on: bus)
        source.send(1)
        source.send(2)
        source.sendLoss(of: 3)
        source.send(6)
        let sent = try receiver.receiveAll().flatMap { try JournalDatagram($0.bytes)["MESSAGE"] }
        #expect(sent == ["level 1", "level 2", "3 messages are missing here", "level 6"])
        forwarding.dispose()
        bus.post(7, to: .levels)
        #expect(try receiver.receiveAll().isEmpty)
        mount.dispose()
    }

    @Test("A pattern is forwarded to the journal with the topic and the number of each value")
    func pattern() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name)
        let forwarding = bus.envelopes(matching: "battery.>")
            .write(to: writer) { JournalMessage("\($0)", fields: ["TOPIC": $0.topic.text]) }
            .subscribe()
        bus.post(1, to: .levels)
        bus.post("low", to: Topic("battery.state"))
        let sent = try receiver.receiveAll().map { try JournalDatagram($0.bytes) }
        #expect(sent.flatMap { $0["MESSAGE"] } == ["battery.level #1: 1", "battery.state #1: low"])
        #expect(sent.flatMap { $0["TOPIC"] } == ["battery.level", "battery.state"])
        forwarding.dispose()
    }
}
