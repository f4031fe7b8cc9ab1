import Bus
import BusTesting
import DBusBridge
import Foundation
import Glibc
import TestSupport
import Testing
import SystemPackage

/// The other end of a connection. It sends what the test wants.
private struct Peer {
    let connection: DBusConnection
    private let own: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        own = ends[1]
        connection = DBusConnection(
            .socket(try DBusDescriptor(duplicating: FileDescriptor(rawValue: ends[0])), isBus: false)
        )
    }

    func say(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(own, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// A server's answer to the greeting.
    func greet() { say(Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)) }

    func end() { close(own) }

    /// The types of the next messages of the connection, the first of which come behind its greeting.
    func types(_ count: Int) -> [UInt8] {
        func read(_ count: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let received = recv(own, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
                    guard received > 0 else { return }
                    filled += received
                }
            }
        }
        var greeting = read(1)
        while !greeting.suffix(7).elementsEqual("BEGIN\r\n".utf8) {
            let next = read(1)
            if next.isEmpty { return [] }
            greeting += next
        }
        var types: [UInt8] = []
        while types.count < count {
            let header = read(16)
            guard header.count == 16 else { return types }
            func number(at place: Int) -> Int {
                header[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            _ = read((number(at: 12) + 7) / 8 * 8 + number(at: 4))
            types.append(header[1])
        }
        return types
    }
}

@Suite("A hostile peer on D-Bus")
struct DBusHostileTests {
    private let call = DBusCall(to: "org.example.Name", at: "/", interface: "org.example.I", member: "M", timeout: nil)

    /// A signal `org.example.I.Said` with a string.
    private func signal(_ text: String) -> [UInt8] { message(4, "Said", text) }

    /// A message of `/` and `org.example.I`, with a string or nothing, in the form of the specification's "Message Format".
    private func message(_ type: UInt8, flags: UInt8 = 1, _ member: String, _ text: String? = nil) -> [UInt8] {
        func aligned(_ bytes: inout [UInt8], to size: Int) { while bytes.count % size != 0 { bytes.append(0) } }
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }
        var fields: [UInt8] = []
        for (code, type, text) in [(1, "o", "/"), (2, "s", "org.example.I"), (3, "s", member)]
            as [(UInt8, String, String)]
        {
            aligned(&fields, to: 8)
            fields += [code, 1] + Array(type.utf8) + [0] + number(text.utf8.count) + Array(text.utf8) + [0]
        }
        var body: [UInt8] = []
        if let text {
            aligned(&fields, to: 8)
            fields += [8, 1] + Array("g".utf8) + [0, 1] + Array("s".utf8) + [0]
            body = number(text.utf8.count) + Array(text.utf8) + [0]
        }
        var message: [UInt8] =
            [UInt8(ascii: "l"), type, flags, 1] + number(body.count) + number(7) + number(fields.count) + fields
        aligned(&message, to: 8)
        return message + body
    }

    @Test("a message of the peer is heard")
    func sound() async throws {
        let peer = try Peer()
        let recorder = Recorder(peer.connection.signals(matching: DBusMatch(member: "Said")).take(first: 2))
        peer.greet()
        peer.say(signal("one") + signal("two"))
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.map(\.text) == ["one", "two"])
        peer.end()
    }

    @Test("damaged messages and random bytes are heard or end the connection, and nothing hangs")
    func damaged() async throws {
        var random = SeededGenerator(Stress.isAsked ? .random(in: 0...(.max)) : 20)
        for round in 0..<Stress.rounds(300, stress: 20_000) {
            let peer = try Peer()
            let recorder = Recorder(peer.connection.signals(matching: DBusMatch(kind: nil)))
            peer.greet()
            var bytes = signal("text")
            switch round % 3 {
            case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            default: bytes = (0..<200).map { _ in .random(in: 0...255, using: &random) }
            }
            peer.say(bytes + signal("next"))
            peer.end()
            await offThePool { recorder.waitForEnd() }
            guard case .failed? = recorder.events.last else {
                Issue.record("\(recorder.events)")
                return
            }
        }
    }

    @Test("a peer that hangs up, at once or during the greeting, fails whatever waits for it")
    func hangingUp() async throws {
        for greeting in [
            "", "DATA\r\n", "DATA\r\nOK ", "REJECTED\r\n", "\0\0\0\0", String(repeating: "x", count: 100_000),
        ] {
            let peer = try Peer()
            let task = Task { try await peer.connection.call(call) }
            peer.say(Array(greeting.utf8))
            peer.end()
            await #expect(throws: DBusError.self) { _ = try await task.value }
        }
    }

    @Test("a message with an impossible size is refused before memory is allocated for it")
    func tooLarge() async throws {
        let peer = try Peer()
        let task = Task { try await peer.connection.call(call) }
        peer.greet()
        peer.say([UInt8(ascii: "l"), 4, 1, 1, 255, 255, 255, 255, 1, 0, 0, 0, 255, 255, 255, 255])
        // The test does not end the connection.
        await #expect(throws: DBusError.self) { _ = try await task.value }
        peer.end()
    }

    @Test("calls that expect no answer do not take the place of answers that nobody reads")
    func unread() async throws {
        let peer = try Peer()
        let called = Lock(0)
        let interface = DBusInterface("org.example.I").method("Large", returns: "ay") { _ in
            called.withLock { $0 += 1 }
            return [.bytes([UInt8](repeating: 1, count: 16 << 20))]
        }
        let serving = Recorder(peer.connection.serve([DBusObject(at: "/", interfaces: [interface])]))
        peer.greet()
        await until { serving.values == [.served] }
        func ask() async {
            let before = called.withLock { $0 }
            for _ in 0..<8 { peer.say(message(1, flags: 0, "Large")) }
            await until { called.withLock { $0 } == before + 8 }
        }
        await ask()
        for _ in 0..<100 { peer.say(message(1, flags: 1, "Nothing")) }
        await ask()
        let types = await offThePool { peer.types(16) }
        // 64 MiB of answers, and errors.
        #expect(types.count == 16 && (4...5).contains(types.count { $0 == 2 }), "\(types)")
        serving.dispose()
        peer.end()
    }

    @Test("connections, subscriptions and calls, made and dropped, leave nothing behind")
    func residue() async throws {
        let bus = try TestBus()
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            await Residue.exitIfLeft(Stress.rounds(100, stress: 20_000), settle: {}) {
                let connection = DBusConnection(.address(address))
                let subscription = connection.signals(matching: DBusMatch(sender: "org.example.Name", member: "Said"))
                    .subscribe(next: { _ in }, failed: { _ in })
                let answer = Recorder(
                    connection.reply(
                        to: DBusCall(
                            to: "org.freedesktop.DBus",
                            at: "/org/freedesktop/DBus",
                            interface: "org.freedesktop.DBus",
                            member: "GetId"
                        )
                    )
                )
                answer.waitForEnd()
                let forgotten = connection.reply(
                    to: DBusCall(
                        to: "org.freedesktop.DBus",
                        at: "/org/freedesktop/DBus",
                        interface: "org.freedesktop.DBus",
                        member: "ListNames"
                    )
                ).subscribe(next: { _ in }, failed: { _ in })
                forgotten.dispose()
                subscription.dispose()
            }
        }
    }

    @Test("objects, properties, names and monitors, made and dropped, leave nothing behind")
    func residueOfServices() async throws {
        let bus = try TestBus()
        await #expect(processExitsWith: .success) { [address = bus.address as String] in
            await Residue.exitIfLeft(Stress.rounds(30, stress: 5_000), settle: { Self.waitForThreads() }) {
                let connection = DBusConnection(.address(address))
                let level = MutableProperty(1)
                let lamp = DBusInterface("org.example.Lamp").property("Level", level, as: "i")
                let named = Latch()
                let serving = connection.serve([DBusObject(at: "/lamp", interfaces: [lamp])], as: "org.example.Lamp")
                    .subscribe(
                        next: { if $0 == .nameAcquired("org.example.Lamp") { named.open() } },
                        failed: { _ in }
                    )
                named.wait()
                let proxy = DBusConnection(.address(address)).proxy(for: "org.example.Lamp", at: "/lamp")
                let first = Recorder(proxy.property("Level", of: "org.example.Lamp", as: Int.self).take(first: 1))
                first.waitForEnd()
                let names = Recorder(proxy.connection.names(in: "org.example").take(first: 1))
                names.waitForEnd()
                let monitor = DBusConnection(.address(address)).monitor().subscribe(next: { _ in }, failed: { _ in })
                level.value = 2
                let watched = proxy.properties(of: "org.example.Lamp").subscribe(next: { _ in }, failed: { _ in })
                watched.dispose()
                monitor.dispose()
                serving.dispose()
            }
        }
    }

    /// Waits until every connection has ended.
    private static func waitForThreads() {
        func areLeft() -> Bool {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return threads.contains { thread in
                // A thread that ends meanwhile no longer has a name.
                (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "dbus\n"
            }
        }
        waitUntil { !areLeft() }
    }
}
