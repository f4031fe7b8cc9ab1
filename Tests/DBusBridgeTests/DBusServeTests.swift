import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

@testable import DBusBridge

@Suite("Objects that this program serves, called by other programs")
struct DBusServeTests {
    private static let name = "org.example.Lamp"
    private static let path = "/org/example/Lamp"

    private struct TooBright: Error, CustomStringConvertible { var description: String { "too bright" } }

    private static func lamp(_ level: MutableProperty<Int>) -> DBusInterface {
        DBusInterface("org.example.Lamp")
            .method("Blink", takes: "us", returns: "s") { call in
                [.string("\(call.arguments[0].integer ?? 0) times \(call.arguments[1].text ?? "")")]
            }
            .method("Refuse") { _ in
                throw DBusReplyError(name: "org.example.Error.Broken", message: "the lamp is broken")
            }
            .method("Fail") { _ in throw TooBright() }
            .method("Lie", returns: "s") { _ in [.int32(1)] }
            .property("Level", level, as: "i") { value in
                guard value < 100 else { throw TooBright() }
                level.value = value
            }
            .property("Fixed", MutableProperty("yes"), as: "s")
            .signal("Broken", carries: "s")
    }

    private func serve(_ bus: TestBus, _ level: MutableProperty<Int>) async -> (DBusConnection, any Disposable) {
        let connection = bus.connection
        return (
            connection,
            await connection.serving([DBusObject(at: Self.path, interfaces: [Self.lamp(level)])], as: Self.name)
        )
    }

    private func gdbus(_ bus: TestBus, _ method: String, _ arguments: [String]) async throws -> String {
        try await bus.runOffThePool(
            "gdbus",
            ["call", "--session", "-d", Self.name, "-o", Self.path, "-m", method] + arguments
        )
    }

    @Test("a method is called, and an error it throws is the answer")
    func methods() async throws {
        let bus = try TestBus()
        let (_, serving) = await serve(bus, MutableProperty(1))
        #expect(try await gdbus(bus, "org.example.Lamp.Blink", ["3", "quickly"]) == "('3 times quickly',)\n")
        let caller = bus.connection
        func error(_ member: String, _ arguments: [DBusValue] = []) async throws -> (String?, String) {
            let error = await #expect(throws: DBusError.self) {
                _ = try await caller.proxy(for: Self.name, at: Self.path).call(
                    interface: "org.example.Lamp",
                    member: member,
                    arguments: arguments
                )
            }
            return (error?.remoteName, error?.description ?? "")
        }
        #expect(try await error("Refuse").0 == "org.example.Error.Broken")
        let failed = try await error("Fail")
        #expect(failed.0 == "org.freedesktop.DBus.Error.Failed" && failed.1.contains("too bright"))
        let lie = try await error("Lie")
        #expect(lie.0 == "org.freedesktop.DBus.Error.Failed" && lie.1.contains("answered 'i' and not 's'"))
        let arguments = try await error("Blink", ["x"])
        #expect(
            arguments.0 == "org.freedesktop.DBus.Error.InvalidArgs" && arguments.1.contains("takes 'us' and not 's'")
        )
        #expect(try await error("Nothing").0 == "org.freedesktop.DBus.Error.UnknownMethod")
        let object = await #expect(throws: DBusError.self) {
            _ = try await caller.proxy(for: Self.name, at: "/other").call(
                interface: "org.example.Lamp",
                member: "Blink"
            )
        }
        #expect(object?.remoteName == "org.freedesktop.DBus.Error.UnknownObject")
        serving.dispose()
    }

    @Test("properties are read, set and reported when they change; introspection shows all")
    func properties() async throws {
        let bus = try TestBus()
        let level = MutableProperty(1)
        let (_, serving) = await serve(bus, level)
        let get = "org.freedesktop.DBus.Properties.Get"
        #expect(try await gdbus(bus, get, ["org.example.Lamp", "Level"]) == "(<1>,)\n")
        _ = try await gdbus(bus, "org.freedesktop.DBus.Properties.Set", ["org.example.Lamp", "Level", "<int32 5>"])
        #expect(level.value == 5)
        let all = try await gdbus(bus, "org.freedesktop.DBus.Properties.GetAll", ["org.example.Lamp"])
        #expect(all == "({'Level': <5>, 'Fixed': <'yes'>},)\n")
        let proxy = bus.connection.proxy(for: Self.name, at: Self.path)
        for (property, value, name) in [
            ("Level", DBusValue.int32(200), "Failed"), ("Level", "text", "InvalidArgs"),
            ("Fixed", "no", "PropertyReadOnly"),
            ("None", "no", "UnknownProperty"),
        ] {
            let error = await #expect(throws: DBusError.self) {
                try await proxy.set(property, of: "org.example.Lamp", to: value)
            }
            #expect(error?.remoteName == "org.freedesktop.DBus.Error." + name)
        }
        let text = try await bus.runOffThePool("gdbus", ["introspect", "--session", "-d", Self.name, "-o", "/", "-r"])
        for part in [
            "node /org/example/Lamp", "Blink(in  u arg_0", "out s arg_", "readwrite i Level = 5", "readonly s Fixed",
            "Broken(s arg_0)",
        ] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        serving.dispose()
    }

    @Test("a property of another program: its value, every change, and its value again when the name's owner changes")
    func watched() async throws {
        let bus = try TestBus()
        let level = MutableProperty(1)
        let (first, serving) = await serve(bus, level)
        let watched = bus.connection.proxy(for: Self.name, at: Self.path).property(
            "Level",
            of: "org.example.Lamp",
            as: Int.self
        )
        var values = watched.values().makeAsyncIterator()
        #expect(try await values.next() == 1)
        level.value = 2
        #expect(try await values.next() == 2)
        // The program is killed, which it does not announce. Another takes its place.
        first.close()
        serving.dispose()
        let (_, second) = await serve(bus, MutableProperty(7))
        #expect(try await values.next() == 7)
        second.dispose()
    }

    @Test("all properties; those that are only invalidated are fetched")
    func invalidated() async throws {
        let bus = try TestBus()
        let level = MutableProperty(1)
        let (connection, serving) = await serve(bus, level)
        let proxy = bus.connection.proxy(for: Self.name, at: Self.path)
        var values = proxy.properties(of: "org.example.Lamp").values().makeAsyncIterator()
        #expect(try await values.next() == ["Level": .int32(1), "Fixed": "yes"])
        var kept = proxy.properties(of: "org.example.Lamp", fetchesInvalidated: false).values().makeAsyncIterator()
        #expect(try await kept.next() == ["Level": .int32(1), "Fixed": "yes"])
        try await connection.emit(
            at: Self.path,
            interface: "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged",
            arguments: ["org.example.Lamp", ["Level": .int32(3)], .array(["Fixed"], of: .string)]
        )
        #expect(try await kept.next() == ["Level": .int32(3)])
        // The signal says that the level is 3. The object, when asked, says 1.
        #expect(try await values.next() == ["Level": .int32(3), "Fixed": "yes"])
        #expect(try await values.next() == ["Level": .int32(1), "Fixed": "yes"])
        serving.dispose()
    }

    @Test("a service whose properties change all the time is asked once at a time, and its names are bounded")
    func chatty() async throws {
        let bus = try TestBus()
        let asked = Lock(0)
        let gate = ReplaySubject<Void, Never>(capacity: 1)
        let properties = DBusInterface("org.freedesktop.DBus.Properties")
            .method("GetAll", takes: "s", returns: "a{sv}") { _ in
                asked.withLock { $0 += 1 }
                _ = try await gate.firstValue()
                let all: DBusValue = ["Level": .int32(1)]
                return [all]
            }
        let connection = bus.connection
        let object = DBusObject(at: Self.path, interfaces: [properties])
        let serving = await connection.serving([object], as: Self.name)
        let heard = Heard<Int>()
        let proxy = bus.connection.proxy(for: Self.name, at: Self.path)
        let watched = proxy.properties(of: "org.example.Lamp").subscribe(
            next: { heard.append($0.count) },
            failed: { Issue.record("\($0)") }
        )
        func change(_ names: Range<Int>, invalidated: [DBusValue] = []) async throws {
            for name in names {
                let change: DBusValue = ["Name\(name)": .int32(1)]
                try await connection.emit(
                    at: Self.path,
                    interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged",
                    arguments: ["org.example.Lamp", change, .array(invalidated, of: .string)]
                )
            }
        }
        await until { asked.withLock { $0 } == 1 }
        try await change(0..<100, invalidated: ["Level"])
        // The watch has heard all of them when its connection has this answer.
        try await proxy.connection.settle()
        gate.send(())
        await until { heard.values.last == 1 }
        #expect(asked.withLock { $0 } == 1)
        try await change(0..<2_000)
        await until { asked.withLock { $0 } == 2 && heard.values.last ?? 0 < 1_000 }
        #expect(heard.values.max() ?? 0 <= 1_026)
        watched.dispose()
        serving.dispose()
    }

    @Test("an absent property fails; a property whose program is not running yet is heard once it starts")
    func absent() async throws {
        let bus = try TestBus()
        let proxy = bus.connection.proxy(for: Self.name, at: Self.path)
        let early = proxy.property("Level", of: "org.example.Lamp", as: Int.self).take(first: 1)
        let recorder = Recorder(early)
        let (_, serving) = await serve(bus, MutableProperty(4))
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.values == [4])
        let missing = Recorder(proxy.property("Nothing", of: "org.example.Lamp", as: Int.self))
        await offThePool { missing.waitForEnd() }
        guard case .failed(let error)? = missing.events.last else {
            Issue.record("\(missing.events)")
            return
        }
        #expect(error.remoteName == "org.freedesktop.DBus.Error.UnknownProperty")
        let wrong = Recorder(proxy.property("Fixed", of: "org.example.Lamp", as: Int.self))
        await offThePool { wrong.waitForEnd() }
        #expect("\(wrong.events)".contains("is no Int"))
        serving.dispose()
    }

    @Test("a name is waited for, taken over and returned")
    func names() async throws {
        let bus = try TestBus()
        let (one, other) = (bus.connection, bus.connection)
        var first = one.serve([], as: Self.name, options: .allowsReplacement).values().makeAsyncIterator()
        #expect(try await first.next() == .served)
        #expect(try await first.next() == .nameAcquired(Self.name))
        let refused = Recorder(other.serve([], as: Self.name, options: .doesNotQueue))
        await offThePool { refused.waitForEnd() }
        #expect("\(refused.events)".contains("NameExists"))
        let taking = other.serve([], as: Self.name, options: .replaces).take(first: 2)
        let taken = Recorder(taking)
        await offThePool { taken.waitForEnd() }
        #expect(taken.values == [.served, .nameAcquired(Self.name)])
        // The second program released it at its end, and the first had been waiting.
        #expect(try await first.next() == .nameLost(Self.name))
        #expect(try await first.next() == .nameAcquired(Self.name))
    }

    @Test("a name is released when the last of a connection that serves by it ends, and not before")
    func sharedName() async throws {
        let bus = try TestBus()
        let (connection, other) = (bus.connection, bus.connection)
        let ask = DBusCall.bus("GetNameOwner", [.string(Self.name)])
        let lamp = DBusObject(at: Self.path, interfaces: [Self.lamp(MutableProperty(1))])
        let first = Recorder(connection.serve([lamp], as: Self.name))
        await until { first.values == [.served, .nameAcquired(Self.name)] }
        let owner = try await other.call(ask).text
        let refused = Recorder(connection.serve([lamp], as: Self.name))
        await offThePool { refused.waitForEnd() }
        #expect("\(refused.events)".contains("is served already"))
        let second = Recorder(connection.serve([], as: Self.name))
        await until { second.values == [.served, .nameAcquired(Self.name)] }
        second.dispose()
        try await connection.settle()
        #expect(try await other.call(ask).text == owner)
        #expect(first.values == [.served, .nameAcquired(Self.name)] && !first.hasEnded)
        first.dispose()
        try await connection.settle()
        let error = await #expect(throws: DBusError.self) { _ = try await other.call(ask) }
        #expect(error?.remoteName == "org.freedesktop.DBus.Error.NameHasNoOwner")
    }

    @Test(
        "anything that cannot be served is refused with a reason",
        arguments: [
            (DBusObject(at: "no/path", interfaces: []), "object path"),
            (DBusObject(at: "/a", interfaces: [DBusInterface("nodot")]), "interface name"),
            (
                DBusObject(at: "/a", interfaces: [DBusInterface("a.b").method("M", takes: "zz") { _ in [] }]),
                "'z' is no type"
            ),
            (DBusObject(at: "/a", interfaces: [DBusInterface("a.b").method("no good") { _ in [] }]), "member name"),
            (DBusObject(at: "/a", interfaces: [DBusInterface("a.b").signal("S").signal("S")]), "comes twice"),
            (
                DBusObject(at: "/a", interfaces: [DBusInterface("a.b").property("P", MutableProperty(1), as: "ii")]),
                "not one type"
            ),
        ]
    )
    func refused(_ object: DBusObject, _ reason: String) async throws {
        let bus = try TestBus()
        let recorder = Recorder(bus.connection.serve([object]))
        await offThePool { recorder.waitForEnd() }
        #expect("\(recorder.events)".contains(reason), "\(recorder.events)")
    }

    @Test("calls beyond the limit are refused, and all are answered")
    func crowded() async throws {
        let bus = try TestBus()
        let counter = Lock(0)
        let blocking = DBusInterface("org.example.Slow").method("Wait", returns: "s") { _ in
            counter.withLock { $0 += 1 }
            while !Task.isCancelled, counter.withLock({ $0 < 1_000 }) { try await Task.sleep(for: .milliseconds(1)) }
            return ["done"]
        }
        let service = bus.connection
        var events = service.serve([DBusObject(at: "/slow", interfaces: [blocking])], as: Self.name).values()
            .makeAsyncIterator()
        #expect(try await events.next() == .served)
        #expect(try await events.next() == .nameAcquired(Self.name))
        let caller = bus.connection
        let call = DBusCall(to: Self.name, at: "/slow", interface: "org.example.Slow", member: "Wait", timeout: nil)
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<80 {
                group.addTask {
                    do {
                        return try await caller.call(call).text ?? ""
                    } catch {
                        // The refusals arrive first, and let the others continue.
                        counter.withLock { $0 = 1_000 }
                        return (error as? DBusError)?.remoteName ?? "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(answers.values.reduce(0, +) == 80)
        #expect((answers["done"] ?? 0) >= 64 && (answers["org.freedesktop.DBus.Error.LimitsExceeded"] ?? 0) >= 1)
        #expect(answers.count == 2, "\(answers)")
    }

    /// Counts how often it is read for the bus.
    private struct Seen: Codable {
        let reads: Lock<Int>

        init(_ reads: Lock<Int>) { self.reads = reads }

        init(from decoder: any Decoder) { reads = Lock(0) }

        func encode(to encoder: any Encoder) throws {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            var container = encoder.singleValueContainer()
            try container.encode(count)
        }
    }

    @Test("a property that changes when the connection has ended opens no other")
    func changedAfterwards() async throws {
        let bus = try TestBus()
        let reads = Lock(0)
        let level = MutableProperty(Seen(reads))
        let lamp = DBusInterface("org.example.Lamp").property("Level", level, as: "i")
        let core = DBusCore(.address(bus.address))
        let publishing = DBusPropertyPublisher(DBusObject(at: Self.path, interfaces: [lamp]), core).start()
        // The second change is read when the first has been sent, or has failed.
        for count in 1...2 {
            level.value = Seen(reads)
            await until { reads.withLock { $0 } == count }
        }
        let bystander = DBusCall(to: DBusNames.bus, at: DBusNames.path, interface: DBusNames.bus, member: "ListNames")
        let names = try await bus.connection.call(bystander).arguments.first?.decode([String].self) ?? []
        #expect(names.count { $0.hasPrefix(":") } == 1, "\(names)")
        publishing.dispose()
    }

    @Test("when the bus dies, serving fails, and retry serves again on the new bus")
    func restarted() async throws {
        let bus = try TestBus()
        let level = MutableProperty(1)
        let connection = bus.connection
        let serving = Recorder(
            connection.serve([DBusObject(at: Self.path, interfaces: [Self.lamp(level)])], as: Self.name)
        )
        let caller = bus.connection
        var values = caller.proxy(for: Self.name, at: Self.path).property("Level", of: "org.example.Lamp", as: Int.self)
            .values().makeAsyncIterator()
        #expect(try await values.next() == 1)
        bus.stop()
        await offThePool { serving.waitForEnd() }
        #expect("\(serving.events.last.map { "\($0)" } ?? "")".contains("the connection to the bus has ended"))
        try bus.restart()
        let (_, again) = await serve(bus, level)
        #expect(
            try await gdbus(bus, "org.freedesktop.DBus.Properties.Get", ["org.example.Lamp", "Level"]) == "(<1>,)\n"
        )
        again.dispose()
    }
}
