import Bus
import BusTesting
import TestSupport
import Testing

@testable import NATSBridge

@Suite("Flushing and draining over a connection that is in trouble")
struct FlushTests {
    private static func success(into heard: Heard<Bool>) -> NATSCommand.Done {
        { result in
            if case .failure = result { heard.append(false) } else { heard.append(true) }
        }
    }

    @Test("A flush that could not be written fails, until the connection is known to be lost")
    func unwritten() async throws {
        let server = try await TestNATSServer.start()
        var options = NATSOptions(server.url)
        options.connectTimeout = .seconds(600)
        options.writeDeadline = .milliseconds(500)
        let opening = NATSOpening(options: options, ticket: NATSTicket())
        let handle = try await offThePool { Result { try opening.open() } }.get()
        #expect(await offThePool { handle.flush(.seconds(600)) } == nil)
        await server.suspend()
        let message = NATSMessage(subject: "a", payload: [UInt8](repeating: 1, count: 1000))
        let succeeded = await offThePool {
            var succeeded = 0
            // Until all buffers on the way are full, and for some flushes afterwards.
            while !handle.server.isEmpty {
                for _ in 0..<20 { _ = message.write(to: handle.pointer) }
                if handle.flush(.milliseconds(5)) == nil { succeeded += 1 }
            }
            return succeeded
        }
        #expect(succeeded == 0)
        // Before the connection is let go of, which waits for an attempt to make it again.
        await server.stop()
    }

    @Test("A flush does not wait for an earlier one beyond its own time")
    func behindAnother() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        try await nats.flush(timeout: .seconds(600))
        await server.suspend()
        let first = Heard<Bool>()
        nats.core.flush(.seconds(3600), Self.success(into: first))
        let error = await #expect(throws: NATSError.self) { try await nats.flush(timeout: .milliseconds(20)) }
        #expect(error?.reason == .timedOut && first.values.isEmpty)
        await server.stop()
        await until { !first.values.isEmpty }
        #expect(first.values == [false])
    }

    @Test(
        "A drain fails when the connection is lost before the server has all messages, and so does one that was asked for meanwhile"
    )
    func lostWhileFlushing() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "a"))
        try await nats.flush(timeout: .seconds(600))
        await server.suspend()
        for number in 0..<100 { try await nats.publish("\(number)", to: "b") }
        let drained = Heard<Bool>()
        for _ in 1...2 { nats.core.drain(.seconds(3600), Self.success(into: drained)) }
        let isUnderWay = Latch()
        nats.core.worker.schedule { isUnderWay.open() }
        await offThePool { isUnderWay.wait() }
        await server.stop()
        await until { drained.values.count == 2 }
        #expect(drained.values == [false, false])
        await offThePool { recorder.waitForEnd() }
        guard case .failed? = recorder.events.last else {
            Issue.record("\(recorder.events)")
            return
        }
    }

    /// Each of the later ones begins when libnats has ended the first one, because the connection is lost.
    @Test("A flush and a drain behind an earlier flush fail when the connection is lost, though it is made again")
    func lostBehindAnother() async throws {
        let server = try await TestNATSServer.start()
        let (flushing, draining) = (server.connection(), server.connection())
        let events = Recorder(flushing.events())
        for nats in [flushing, draining] { try await nats.flush(timeout: .seconds(600)) }
        await server.suspend()
        let (flushed, drained, late) = (Heard<Bool>(), Heard<Bool>(), Heard<Bool>())
        for _ in 1...2 { flushing.core.flush(.seconds(3600), Self.success(into: flushed)) }
        draining.core.flush(.seconds(3600), Self.success(into: drained))
        // Behind the flushes in the queue of the connection.
        for nats in [flushing, draining] { try await nats.publish("", to: "b") }
        draining.core.drain(.seconds(3600), Self.success(into: drained))
        await server.stop()
        await until { events.values.contains(.disconnected) }
        flushing.core.flush(.seconds(3600), Self.success(into: late))
        // Into the reconnect buffer, behind that flush in the queue.
        try await flushing.publish("", to: "b")
        try await server.restart()
        await until { flushed.values.count == 2 && drained.values.count == 2 && !late.values.isEmpty }
        #expect(flushed.values == [false, false] && drained.values == [false, false])
        // This one was asked for while the connection was lost, and waited for the next one.
        #expect(late.values == [true])
        events.dispose()
    }

    @Test("A drain succeeds though another server has refused the user before")
    func refusedBefore() async throws {
        let refusing = try await TestNATSServer.start(#"authorization { user: "a", password: "b" }"#)
        let accepting = try await TestNATSServer.start(#"authorization { user: "u", password: "p" }"#)
        var options = NATSOptions(servers: [refusing.url, accepting.url])
        options.authentication = .user("u", password: "p")
        options.connectTimeout = .seconds(600)
        // libnats tries the servers in random order.
        for _ in 1...20 {
            let nats = NATSConnection(options)
            let recorder = Recorder(nats.messages(to: "a"))
            try await nats.drain(timeout: .seconds(600))
            await offThePool { recorder.waitForEnd() }
            guard case .completed? = recorder.events.last else {
                Issue.record("\(recorder.events)")
                return
            }
        }
    }

    /// The other process blocks the thread of libnats, so that its drain goes on until the connection is lost.
    @Test("A drain fails when the connection is lost before its subscriptions have heard all")
    func lostWhileDraining() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let begun = Recorder(nats.messages(to: "begun").take(first: 1))
        try await nats.flush(timeout: .seconds(600))
        let process = Task { [url = server.url] in
            _ = await #expect(processExitsWith: .success) { [url = url as String] in
                let nats = NATSConnection(NATSOptions(url))
                let hold = Latch()
                let recorder = Recorder(
                    nats.messages(to: "a", on: ImmediateScheduler()),
                    onNext: { _ in
                        hold.wait()
                        return .more
                    }
                )
                try await nats.flush(timeout: .seconds(600))
                try await nats.publish("", to: "a")
                await until { recorder.valueCount == 1 }
                try await nats.publish("", to: "begun")
                await #expect(throws: NATSError.self) { try await nats.drain(timeout: .seconds(3600)) }
                hold.open()
                await offThePool { recorder.waitForEnd() }
                guard case .failed? = recorder.events.last else {
                    Issue.record("\(recorder.events.suffix(1))")
                    return
                }
            }
        }
        await offThePool { begun.waitForEnd() }
        // Nobody listens any more once the drain is under way.
        var reason: NATSError.Reason?
        while reason != .noResponders, !RunLimit.isOver {
            let error = await #expect(throws: NATSError.self) {
                try await nats.request("", to: "a", timeout: .milliseconds(100))
            }
            reason = error?.reason
        }
        await server.stop()
        await process.value
    }
}
