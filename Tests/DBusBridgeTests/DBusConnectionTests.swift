import Bus
import BusTesting
import DBusBridge
import Glibc
import TestSupport
import Testing
import SystemPackage

@Suite("A connection to a real dbus-daemon")
struct DBusConnectionTests {
    private static let bus = "org.freedesktop.DBus"
    private static let path = "/org/freedesktop/DBus"

    private func ask(_ member: String, _ arguments: [DBusValue] = [], timeout: Duration? = nil) -> DBusCall {
        DBusCall(
            to: Self.bus,
            at: Self.path,
            interface: Self.bus,
            member: member,
            arguments: arguments,
            timeout: timeout
        )
    }

    @Test("a call is answered")
    func answer() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let names = try await connection.call(ask("ListNames"))
        #expect(names.signature == "as" && names.kind == .methodReturn && names.sender == Self.bus)
        let texts = try #require(names.arguments.first?.elements).compactMap(\.text)
        #expect(texts.contains(Self.bus) && texts.contains { $0.hasPrefix(":1.") })
    }

    @Test("an error has its name and the call that caused it")
    func remoteError() async throws {
        let bus = try TestBus()
        let error = await #expect(throws: DBusError.self) {
            _ = try await bus.connection.call(ask("GetNameOwner", ["org.example.Nobody"]))
        }
        #expect(error?.remoteName == "org.freedesktop.DBus.Error.NameHasNoOwner")
        #expect(error?.description.contains("call org.freedesktop.DBus.GetNameOwner of org.freedesktop.DBus") == true)
        let unknown = await #expect(throws: DBusError.self) {
            _ = try await bus.connection.call(
                DBusCall(to: "org.example.Nobody", at: "/", interface: "org.example.I", member: "M")
            )
        }
        #expect(unknown?.remoteName == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test("only matching signals of another program are heard")
    func heard() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let recorder = Recorder(
            connection.signals(
                matching: DBusMatch(pathNamespace: "/org/example", interface: "org.example.I", arguments: [0: "yes"])
            )
        )
        let end = Recorder(connection.signals(matching: DBusMatch(member: "End")).take(first: 1))
        try await connection.settle()
        for (path, interface, text) in [
            ("/org/example/a", "org.example.I", "yes"), ("/org/example/a", "org.example.I", "no"),
            ("/org/exampled", "org.example.I", "yes"), ("/org/example", "org.example.J", "yes"),
            ("/org/example", "org.example.I", "yes"),
        ] {
            try bus.run("gdbus", ["emit", "--session", "-o", path, "-s", interface + ".Said", text])
        }
        try bus.run("dbus-send", ["--session", "--type=signal", "/", "org.example.K.End"])
        await offThePool { end.waitForEnd() }
        #expect(recorder.values.map(\.path) == ["/org/example/a", "/org/example"])
        #expect(recorder.values.allSatisfy { $0.member == "Said" && $0.arguments == ["yes"] })
        recorder.dispose()
    }

    /// One of each type, nested.
    private static func everything(_ descriptor: DBusDescriptor) -> [DBusValue] {
        [
            .byte(255), .boolean(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
            .uint64(.max),
            .double(-0.1), "text – ünï", "", .objectPath("/a/b_1"), .signature("a{sv}"), .bytes([0, 1, 255]),
            .bytes([]),
            .array([], of: .structure([.string, .variant])), .array([.int32(1), .int32(-1)], of: .int32),
            .array([.bytes([1]), .bytes([])], of: .array(.byte)),
            ["one": .uint32(1), "two": .variant(.variant("deep"))],
            .dictionary(
                DBusDictionary(
                    keyType: .int64,
                    valueType: .array(.string),
                    entries: [.init(key: .int64(-7), value: .array(["a", "b"], of: .string))]
                )
            ),
            .structure([.byte(1), .structure([.double(.infinity), "x"]), .variant(.structure([.boolean(false)]))]),
            .descriptor(descriptor),
        ]
    }

    @Test("values of every type arrive as they were sent")
    func everyType() async throws {
        let bus = try TestBus()
        let (sender, receiver) = (bus.connection, bus.connection)
        let recorder = Recorder(receiver.signals(matching: DBusMatch(interface: "org.example.I")).take(first: 1))
        try await receiver.settle()
        let descriptor = try DBusDescriptor(duplicating: FileDescriptor(rawValue: 2))
        let sent = Self.everything(descriptor)
        try await sender.emit(at: "/a", interface: "org.example.I", member: "Everything", arguments: sent)
        await offThePool { recorder.waitForEnd() }
        let received = try #require(recorder.values.first)
        #expect(received.signature == sent.map(\.type).signature)
        #expect(received.arguments.dropLast() == sent.dropLast())
        guard case .descriptor(let copy)? = received.arguments.last else {
            Issue.record("no descriptor came")
            return
        }
        var (one, other) = (stat(), stat())
        #expect(
            copy.fileDescriptor != descriptor.fileDescriptor && fstat(copy.fileDescriptor.rawValue, &one) == 0
                && fstat(2, &other) == 0
        )
        #expect(one.st_ino == other.st_ino && one.st_dev == other.st_dev)
    }

    @Test(
        "a value that violates a rule of D-Bus is refused before it is sent, and the connection stays open",
        arguments: [
            ("a", "org.example.I", "M", [DBusValue]()), ("/", "noDot", "M", []), ("/", "org.example.I", "no good", []),
            ("/", "org.example.I", "M\u{0}", []), ("/", "org.example.I", "M", ["zero\u{0}byte"]),
            ("/", "org.example.I", "M", [.objectPath("no/path")]), ("/", "org.example.I", "M", [.signature("zz")]),
            ("/", "org.example.I", "M", [.structure([])]),
            ("/", "org.example.I", "M", [.array([.int32(1), "two"], of: .int32)]),
            ("/", "org.example.I", "M", [.array([], of: .structure([]))]),
            ("/", "org.example.I", "M", [(0..<70).reduce(.byte(0)) { value, _ in .variant(value) }]),
        ]
    )
    func refused(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let error = await #expect(throws: DBusError.self) {
            try await connection.emit(at: path, interface: interface, member: member, arguments: arguments)
        }
        if case .invalid? = error?.reason {} else { Issue.record("\(error?.description ?? "")") }
        try await connection.settle()
    }

    @Test("a sender's well-known name is followed when its owner changes, and other senders are not heard")
    func followed() async throws {
        let bus = try TestBus()
        let (listener, first, second) = (bus.connection, bus.connection, bus.connection)
        let all = Recorder(listener.signals(matching: DBusMatch(interface: "org.example.I")))
        let recorder = Recorder(
            listener.signals(matching: DBusMatch(sender: "org.example.Name", interface: "org.example.I"))
        )
        try await listener.settle()
        func say(_ text: String, _ speaker: DBusConnection) async throws {
            try await speaker.emit(at: "/", interface: "org.example.I", member: "Said", arguments: [.string(text)])
            // When the bus has answered, the signal is on its way to all.
            try await speaker.settle()
            try await listener.settle()
        }
        try await say("nobody's", first)
        _ = try await first.call(ask("RequestName", ["org.example.Name", .uint32(1)]))
        try await say("first", first)
        try await say("stranger", second)
        // 0: wait until the name is free.
        _ = try await second.call(ask("RequestName", ["org.example.Name", .uint32(0)]))
        try await say("still first", first)
        _ = try await first.call(ask("ReleaseName", ["org.example.Name"]))
        try await say("second", second)
        try await say("first no more", first)
        second.close()
        let end = Recorder(listener.signals(matching: DBusMatch(member: "End")).take(first: 1))
        try await listener.settle()
        try await first.emit(at: "/", interface: "org.example.K", member: "End")
        await offThePool { end.waitForEnd() }
        #expect(all.values.count == 6)
        #expect(recorder.values.map(\.text) == ["first", "still first", "second"])
    }

    @Test("when the bus dies, calls in progress fail, and the next call uses the new bus")
    func restarted() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let recorder = Recorder(connection.signals(matching: DBusMatch(member: "Said")))
        try await connection.settle()
        bus.stop()
        await offThePool { recorder.waitForEnd() }
        guard case .failed(let error)? = recorder.events.last else {
            Issue.record("\(recorder.events)")
            return
        }
        #expect(error.reason == .disconnected)
        let gone = await #expect(throws: DBusError.self) { try await connection.settle() }
        if case .unreachable? = gone?.reason {} else { Issue.record("\(gone?.description ?? "")") }
        try bus.restart()
        let again = Recorder(connection.signals(matching: DBusMatch(member: "Said")).take(first: 1))
        try await connection.settle()
        try await connection.emit(at: "/", interface: "org.example.I", member: "Said")
        await offThePool { again.waitForEnd() }
        #expect(again.values.count == 1)
    }

    @Test(
        "a reply that never arrives times out, and a cancelled task does not wait",
        .enabled(if: TestBus.isReference)
    )
    func noReply() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        try await connection.settle()
        await bus.whileStopped {
            let error = await #expect(throws: DBusError.self) {
                _ = try await connection.call(ask("GetId", timeout: .milliseconds(50)))
            }
            #expect(error?.reason == .timedOut)
            let task = Task { _ = try await connection.call(ask("GetId")) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        // The answers that arrive now have no waiting call.
        try await connection.settle()
    }

    @Test("while an observer pauses, its messages are bounded, each is heard or counted, and others hear all")
    func slow() async throws {
        let bus = try TestBus()
        let (sender, receiver, other) = (bus.connection, bus.connection, bus.connection)
        let count = Stress.rounds(3_000, stress: 100_000)
        let said = DBusMatch(member: "Said")
        let slow = PausingRecorder(receiver.signals(matching: said, limit: 100), after: 1)
        let quick = Recorder(receiver.signals(matching: said, limit: count).take(first: count))
        let undisturbed = Recorder(other.signals(matching: said, limit: count).take(first: count))
        try await receiver.settle()
        try await other.settle()
        for number in 0..<count {
            try await sender.emit(
                at: "/",
                interface: "org.example.I",
                member: "Said",
                arguments: [.int64(Int64(number))]
            )
        }
        await offThePool { quick.waitForEnd() }
        await offThePool { undisturbed.waitForEnd() }
        for all in [quick, undisturbed] {
            #expect(all.values.compactMap { $0.arguments.first?.integer } == (0..<Int64(count)).map { $0 })
        }
        #expect(slow.valueCount <= 1 + slow.overrun && slow.overrun <= 1)
        slow.release()
        let last = Recorder(receiver.signals(matching: DBusMatch(member: "Last")).take(first: 1))
        try await receiver.settle()
        try await sender.emit(at: "/", interface: "org.example.I", member: "Last")
        await offThePool { last.waitForEnd() }
        // Those that it holds come on a thread of their own.
        await until { slow.valueCount + slow.lost == count }
        // What `deliver(on:)` holds, and as many whose delivery it had begun.
        #expect(slow.valueCount <= 1 + 100 + 64 + 64)
        slow.dispose()
    }

    @Test(
        "without a bus, the error says what was tried",
        arguments: ["unix:path=/nowhere", "nonsense", "unix:path=\u{0}", ""]
    )
    func unreachable(_ address: String) async throws {
        let connection = DBusConnection(.address(address))
        let error = await #expect(throws: DBusError.self) { try await connection.settle() }
        if case .unreachable? = error?.reason {} else { Issue.record("\(error?.description ?? "")") }
        let recorder = Recorder(connection.signals(matching: DBusMatch()))
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values.isEmpty)
    }

    @Test("closing ends everything in progress, and nothing new can be started")
    func closed() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let recorder = Recorder(connection.signals(matching: DBusMatch()))
        try await connection.settle()
        connection.close()
        await offThePool { recorder.waitForEnd() }
        let error = await #expect(throws: DBusError.self) { try await connection.settle() }
        #expect(error?.reason == .disconnected)
    }

    @Test("a subscription whose rules the bus has not answered yet fails when the connection ends")
    func closedEarly() async throws {
        let bus = try TestBus()
        let match = DBusMatch(sender: "org.example.Name", member: "Said")
        for _ in 0..<200 {
            let connection = bus.connection
            let recorder = Recorder(connection.signals(matching: match))
            connection.close()
            await offThePool { recorder.waitForEnd() }
            guard case .failed(let error)? = recorder.events.last else {
                Issue.record("\(recorder.events)")
                return
            }
            #expect(error.reason == .disconnected)
        }
    }

    @Test("a thousand subscriptions, half of them equal, are made and disposed of")
    func many() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let recorders = (0..<1_000).map { number in
            Recorder(connection.signals(matching: DBusMatch(member: "Said\(number / 2)")).take(first: 1))
        }
        try await connection.settle()
        for number in 0..<250 {
            try await connection.emit(at: "/", interface: "org.example.I", member: "Said\(number)")
        }
        await offThePool { for recorder in recorders.prefix(500) { recorder.waitForEnd() } }
        for recorder in recorders { recorder.dispose() }
        try await connection.settle()
        #expect(recorders.prefix(500).allSatisfy { $0.values.count == 1 })
        #expect(recorders.dropFirst(500).allSatisfy { $0.values.isEmpty })
    }
}
