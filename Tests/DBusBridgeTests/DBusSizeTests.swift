import Bus
import BusTesting
import DBusBridge
import Foundation
import TestSupport
import Testing

@Suite("Large messages on D-Bus")
struct DBusSizeTests {
    private static let mebibyte = 1024 * 1024

    @Test("while an observer pauses, large messages are bounded by their memory, and each is heard or counted")
    func memory() async throws {
        let bus = try TestBus()
        let (sender, receiver) = (bus.connection, bus.connection)
        let (large, last) = (DBusMatch(member: "Large"), DBusMatch(member: "Last"))
        let (heard, monitored) = (Latch(), Latch())
        let slow = PausingRecorder(receiver.signals(matching: large), after: 1)
        let end = Recorder(
            receiver.signals(matching: last).take(first: 1),
            onNext: { _ in
                heard.open()
                return .more
            }
        )
        let monitor = PausingRecorder(
            receiver.monitor(matching: [large, last]),
            after: 1,
            onNext: { if $0.member == "Last" { monitored.open() } }
        )
        try await receiver.settle()
        var small = 0
        while monitor.valueCount == 0 {
            try await sender.emit(at: "/", interface: "org.example.I", member: "Large")
            try await sender.settle()
            try await receiver.settle()
            small += 1
        }
        let count = 24
        for number in 0..<count {
            let bytes = [UInt8](repeating: UInt8(number), count: 8 * Self.mebibyte)
            try await sender.emit(at: "/", interface: "org.example.I", member: "Large", arguments: [.bytes(bytes)])
            // Otherwise the bus would have to hold more than its limit, and would drop it.
            try await sender.settle()
            try await receiver.settle()
        }
        slow.release()
        try await sender.emit(at: "/", interface: "org.example.I", member: "Last")
        await offThePool { heard.wait() }
        #expect(slow.valueCount + slow.lost == small + count)
        // Eight take 64 MiB. One may have reached the observer before its pause took effect.
        #expect((small + 8...small + 9).contains(slow.valueCount))
        monitor.release()
        await offThePool { monitored.wait() }
        let monitoredCount = monitor.values.count { !$0.arguments.isEmpty }
        // A monitor cannot be asked whether it has read everything. If it has not, it hears more once it is released.
        #expect(monitoredCount >= 8 && monitor.lost == count - monitoredCount)
        end.dispose()
        slow.dispose()
        monitor.dispose()
    }

    @Test(
        "a message of almost 128 MiB arrives; a larger one is refused, and the connection stays",
        .enabled(if: TestBus.isReference)
    )
    func limit() async throws {
        let most = 128 * Self.mebibyte
        let bus = try TestBus(limits: [
            "max_message_size": most, "max_incoming_bytes": 2 * most, "max_outgoing_bytes": 2 * most,
        ])
        let (sender, receiver) = (bus.connection, bus.connection)
        let arrived = Recorder(receiver.signals(matching: DBusMatch(member: "Large")).take(first: 1))
        try await receiver.settle()
        let half = DBusValue.bytes([UInt8](repeating: 7, count: 64 * Self.mebibyte - 200))
        try await sender.emit(at: "/", interface: "org.example.I", member: "Large", arguments: [half, half])
        await offThePool { arrived.waitForEnd() }
        #expect(arrived.values.first?.arguments == [half, half])
        // A larger one is refused before it is sent.
        let over = DBusValue.bytes([UInt8](repeating: 7, count: 64 * Self.mebibyte + 1))
        let list = DBusValue.array(
            [.uint64(0)] + [DBusValue](repeating: .uint64(1), count: 8 * Self.mebibyte),
            of: .uint64
        )
        for (arguments, limit) in [
            ([over], "64 MiB"), ([.variant(over)], "64 MiB"), ([list], "64 MiB"),
            ([half, half, .bytes([UInt8](repeating: 0, count: 400))], "128 MiB"),
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await sender.emit(at: "/", interface: "org.example.I", member: "Large", arguments: arguments)
            }
            guard case .invalid(let text) = error?.reason, text.contains(limit) else {
                Issue.record("\(error.map { "\($0)" } ?? "none")")
                continue
            }
        }
        let call = DBusCall(
            to: "org.freedesktop.DBus",
            at: "/",
            interface: "org.example.I",
            member: "Large",
            arguments: [over]
        )
        await #expect(throws: DBusError.self) { try await sender.call(call) }
        // The connection still works.
        try await sender.settle()
    }

    @Test(
        "a bus ends a connection that sends too much: calls in progress fail, and the next call works",
        .enabled(if: TestBus.isReference)
    )
    func refused() async throws {
        let bus = try TestBus(limits: ["max_message_size": Self.mebibyte])
        let connection = bus.connection
        let subscription = Recorder(connection.signals(matching: DBusMatch(member: "Said")))
        try await connection.settle()
        try? await connection.emit(
            at: "/",
            interface: "org.example.I",
            member: "Large",
            arguments: [.bytes([UInt8](repeating: 7, count: 2 * Self.mebibyte))]
        )
        await offThePool { subscription.waitForEnd() }
        guard case .failed(let error)? = subscription.events.last else {
            Issue.record("\(subscription.events.last.map { "\($0)" } ?? "nothing was heard")")
            return
        }
        #expect(error.reason == .disconnected)
        try await connection.settle()
    }
}
