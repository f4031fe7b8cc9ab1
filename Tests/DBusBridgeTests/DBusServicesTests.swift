import Bus
import BusTesting
import DBusBridge
import Foundation
import Glibc
import TestSupport
import Testing
import SystemPackage

/// Stands in for systemd. It sends what systemd sends on D-Bus, and sends nothing to those who have not subscribed.
private final class SystemdStandIn: Sendable {
    static let manager = "org.freedesktop.systemd1.Manager"
    static let unit = "org.freedesktop.systemd1.Unit"
    static let path = "/org/freedesktop/systemd1"

    let connection: DBusConnection
    let nginx = MutableProperty("active")
    /// The order of the calls.
    let calls = Lock([String]())

    init(_ bus: TestBus) {
        connection = bus.connection
    }

    func serve() async -> any Disposable {
        let manager = DBusInterface(Self.manager)
            .method("Subscribe") { [self] _ in
                note("Subscribe")
                return []
            }
            .method("ListUnits", returns: "a(ssssssouso)") { [self] _ in
                note("ListUnits")
                let row = DBusValue.structure([
                    "nginx.service", "a web server", "loaded", .string(nginx.value), "running", "",
                    .objectPath(Self.path + "/unit/nginx_2eservice"), .uint32(0), "", .objectPath("/"),
                ])
                return [.array([row], of: row.type)]
            }
            .method("ListJobs", returns: "a(usssoo)") { _ in
                let row = DBusValue.structure([
                    .uint32(5), "old.service", "start", "running", .objectPath("/j/5"), .objectPath("/u"),
                ])
                return [.array([row], of: row.type)]
            }
            .method("StartUnit", takes: "ss", returns: "o") { [self] call in
                let name = call.arguments[0].text ?? ""
                note("StartUnit \(name)")
                guard name != "masked.service" else {
                    throw DBusReplyError(
                        name: "org.freedesktop.systemd1.UnitMasked",
                        message: "Unit masked.service is masked."
                    )
                }
                // The job ends before it is announced, like a job that has nothing to do.
                try await jobRemoved(8, "other.service", "canceled")
                try await jobRemoved(9, name, name == "bad.service" ? "failed" : "done")
                return [.objectPath("/j/9")]
            }
        let unit = DBusInterface(Self.unit).property("ActiveState", nginx, as: "s")
        return await connection.serving(
            [
                DBusObject(at: Self.path, interfaces: [manager]),
                DBusObject(at: Self.path + "/unit/nginx_2eservice", interfaces: [unit]),
            ],
            as: "org.freedesktop.systemd1"
        )
    }

    func say(_ member: String, _ arguments: [DBusValue]) async throws {
        try await connection.emit(at: Self.path, interface: Self.manager, member: member, arguments: arguments)
    }

    private func jobRemoved(_ id: UInt32, _ unit: String, _ result: String) async throws {
        try await say("JobRemoved", [.uint32(id), .objectPath("/j/\(id)"), .string(unit), .string(result)])
    }

    private func note(_ call: String) { calls.withLock { $0.append(call) } }
}

@Suite("Predefined signals of systemd, logind and the bus")
struct DBusServicesTests {
    @Test(
        "units: existing ones, their changes, and again when systemd returns; systemd is asked to report first"
    )
    func units() async throws {
        let bus = try TestBus()
        let systemd = SystemdStandIn(bus)
        let serving = await systemd.serve()
        var events = SystemdManager(bus.connection).units.values().makeAsyncIterator()
        let nginx = SystemdUnit(
            name: "nginx.service",
            description: "a web server",
            loadState: "loaded",
            activeState: "active",
            subState: "running"
        )
        #expect(try await events.next() == .loaded(nginx))
        #expect(systemd.calls.withLock { $0 } == ["Subscribe", "ListUnits"])
        try await systemd.say("UnitNew", ["new.service", .objectPath("/u")])
        #expect(try await events.next() == .added("new.service"))
        systemd.nginx.value = "failed"
        #expect(try await events.next() == .changed("nginx.service", activeState: "failed", subState: nil))
        try await systemd.say("UnitRemoved", ["new.service", .objectPath("/u")])
        #expect(try await events.next() == .removed("new.service"))
        serving.dispose()
        #expect(try await events.next() == .managerGone)
        let again = await systemd.serve()
        guard case .loaded(let unit)? = try await events.next() else {
            Issue.record("no units after the restart")
            return
        }
        #expect(unit.activeState == "failed")
        #expect(systemd.calls.withLock { $0 } == ["Subscribe", "ListUnits", "Subscribe", "ListUnits"])
        again.dispose()
    }

    @Test("a unit's active state, through a restart of systemd")
    func activeState() async throws {
        let bus = try TestBus()
        let systemd = SystemdStandIn(bus)
        let serving = await systemd.serve()
        var states = SystemdManager(bus.connection).unit("nginx.service").activeState.values().makeAsyncIterator()
        #expect(try await states.next() == "active")
        systemd.nginx.value = "reloading"
        #expect(try await states.next() == "reloading")
        serving.dispose()
        systemd.nginx.value = "inactive"
        let again = await systemd.serve()
        #expect(try await states.next() == "inactive")
        #expect(systemd.calls.withLock { $0 } == ["Subscribe", "Subscribe"])
        again.dispose()
    }

    @Test("a job's result is reported even if it ended before systemd named it")
    func jobs() async throws {
        let bus = try TestBus()
        let systemd = SystemdStandIn(bus)
        let serving = await systemd.serve()
        let manager = SystemdManager(bus.connection)
        var jobs = manager.jobs.values().makeAsyncIterator()
        #expect(try await jobs.next() == .queued(id: 5, unit: "old.service"))
        try await manager.unit("good.service").start()
        let failed = await #expect(throws: DBusError.self) {
            try await manager.unit("bad.service").start(timeout: .seconds(60))
        }
        #expect(failed?.reason == .jobEnded(result: "failed"))
        #expect(try await jobs.next() == .ended(id: 8, unit: "other.service", result: "canceled"))
        #expect(try await jobs.next() == .ended(id: 9, unit: "good.service", result: "done"))
        let error = await #expect(throws: DBusError.self) { try await manager.unit("masked.service").start() }
        #expect(error?.remoteName == "org.freedesktop.systemd1.UnitMasked")
        let unknown = await #expect(throws: DBusError.self) { try await manager.unit("good.service").reload() }
        #expect(unknown?.remoteName == "org.freedesktop.DBus.Error.UnknownMethod")
        serving.dispose()
    }

    /// A stand-in for logind, and the other ends of the locks that it gave out.
    private final class Login: Sendable {
        let connection: DBusConnection
        let isSleeping = MutableProperty(false)
        let locks = Lock([CInt]())

        init(_ bus: TestBus) {
            connection = bus.connection
        }

        func serve() async -> any Disposable {
            let manager = DBusInterface("org.freedesktop.login1.Manager")
                .method("Inhibit", takes: "ssss", returns: "h") { [self] call in
                    guard call.arguments.map(\.text) == ["sleep", "test", "to see", "delay"] else {
                        throw DBusReplyError(
                            name: "org.freedesktop.DBus.Error.InvalidArgs",
                            message: "\(call.arguments)"
                        )
                    }
                    if isSleeping.value {
                        throw DBusReplyError(
                            name: "org.freedesktop.login1.OperationInProgress",
                            message: "it goes to sleep"
                        )
                    }
                    var ends: [CInt] = [-1, -1]
                    guard pipe(&ends) == 0 else {
                        throw DBusReplyError(name: "org.example.Error.Pipe", message: "none")
                    }
                    locks.withLock { $0.append(ends[0]) }
                    defer { close(ends[1]) }
                    return [.descriptor(try DBusDescriptor(duplicating: FileDescriptor(rawValue: ends[1])))]
                }
                .property("PreparingForSleep", isSleeping, as: "b")
            return await connection.serving(
                [DBusObject(at: "/org/freedesktop/login1", interfaces: [manager])],
                as: "org.freedesktop.login1"
            )
        }

        func say(_ isSleeping: Bool) async throws {
            self.isSleeping.value = isSleeping
            try await connection.emit(
                at: "/org/freedesktop/login1",
                interface: "org.freedesktop.login1.Manager",
                member: "PrepareForSleep",
                arguments: [.boolean(isSleeping)]
            )
        }

        /// Waits until the holder of a lock has closed it.
        func waitForRelease(_ number: Int) async {
            let end = locks.withLock { $0[number] }
            await offThePool {
                var byte: UInt8 = 0
                _ = read(end, &byte, 1)
                close(end)
            }
        }

        func isHeld(_ number: Int) -> Bool {
            var descriptor = pollfd(fd: locks.withLock { $0[number] }, events: Int16(POLLIN), revents: 0)
            return poll(&descriptor, 1, 0) == 0
        }
    }

    @Test("the machine sleeps once the delay is released, and another lock is taken when it wakes")
    func sleep() async throws {
        let bus = try TestBus()
        let login = Login(bus)
        let serving = await login.serve()
        let subscriber = bus.connection
        var events = LoginManager(subscriber).sleep(who: "test", why: "to see").values().makeAsyncIterator()
        // The lock is taken before a later call is answered.
        let ready = DBusCall(
            to: "org.freedesktop.login1",
            at: "/org/freedesktop/login1",
            interface: "org.freedesktop.DBus.Peer",
            member: "Ping"
        )
        while login.locks.withLock({ $0.isEmpty }) { _ = try await subscriber.call(ready) }
        try await login.say(true)
        guard case .goesToSleep(let delay)? = try await events.next() else {
            Issue.record("it does not go to sleep")
            return
        }
        #expect(login.isHeld(0))
        // Sent again, as some versions do.
        try await login.say(true)
        delay.release()
        await login.waitForRelease(0)
        try await login.say(false)
        #expect(try await events.next() == .isAwake)
        while login.locks.withLock({ $0.count < 2 }) { _ = try await subscriber.call(ready) }
        #expect(login.isHeld(1))
        // A subscription that begins while the machine goes to sleep hears so, without a lock.
        try await login.say(true)
        var late = LoginManager(bus.connection).sleep(who: "test", why: "to see").values().makeAsyncIterator()
        if case .goesToSleep? = try await late.next() {} else { Issue.record("it was not told") }
        if case .goesToSleep(let dropped)? = try await events.next() { _ = dropped } else { Issue.record("not told") }
        serving.dispose()
    }

    @Test("names that exist, appear and disappear")
    func names() async throws {
        let bus = try TestBus()
        let connection = bus.connection
        let first = connection.serve([], as: "org.example.First").subscribe(next: { _ in }, failed: { _ in })
        var names = bus.connection.names(in: "org.example").values().makeAsyncIterator()
        var seen = try await names.next()
        // It is reported as existing or as new, depending on what the bus saw first.
        #expect(seen?.name == "org.example.First" && seen?.owner?.hasPrefix(":1.") == true)
        let owner = seen?.owner
        let second = connection.serve([], as: "org.example.Second").subscribe(next: { _ in }, failed: { _ in })
        repeat { seen = try await names.next() } while seen?.name == "org.example.First"
        #expect(seen == DBusNameOwner(name: "org.example.Second", owner: owner))
        first.dispose()
        repeat { seen = try await names.next() } while seen?.owner != nil
        #expect(seen == DBusNameOwner(name: "org.example.First", owner: nil))
        second.dispose()
        let all = Recorder(bus.connection.names().take(first: 2))
        await offThePool { all.waitForEnd() }
        #expect(all.values.count == 2)
    }

    @Test("a monitor hears calls and their answers, and sends to nobody")
    func monitor() async throws {
        let bus = try TestBus()
        let monitor = bus.connection
        let match = DBusMatch(kind: .methodCall, member: "GetNameOwner")
        var heard = monitor.monitor(matching: [match, DBusMatch(member: "Said")]).values().makeAsyncIterator()
        // A monitor cannot ask whether it has started, so others send until it hears them.
        let speaker = bus.connection
        let speaking = Task {
            while !Task.isCancelled {
                _ = try? await speaker.proxy(for: "org.freedesktop.DBus", at: "/org/freedesktop/DBus")
                    .call(interface: "org.freedesktop.DBus", member: "GetNameOwner", arguments: ["org.example.Nobody"])
                try await speaker.emit(at: "/", interface: "org.example.I", member: "Said", arguments: ["x"])
            }
        }
        var kinds: Set<DBusMessage.Kind> = []
        while kinds.count < 2 {
            let message = try #require(try await heard.next())
            #expect(message.member == "GetNameOwner" || message.member == "Said")
            #expect(message.realtime > 1_700_000_000_000_000 && message.monotonic > .zero)
            if message.kind == .methodCall { #expect(message.text == "org.example.Nobody" && message.expectsReply) }
            kinds.insert(message.kind)
        }
        #expect(kinds == [.methodCall, .signal])
        speaking.cancel()
        let wrong = Recorder(bus.connection.monitor(matching: [DBusMatch(interface: "nodot")]))
        await offThePool { wrong.waitForEnd() }
        #expect("\(wrong.events)".contains("interface: 'nodot' is no interface name"))
        bus.stop()
        await #expect(throws: (any Error).self) { while try await heard.next() != nil {} }
    }

    @Test("the example continues when systemd or the bus is restarted")
    func example() async throws {
        let bus = try TestBus()
        let systemd = SystemdStandIn(bus)
        var serving = await systemd.serve()
        let example = try Example("unitstate", ["nginx.service", bus.address])
        await offThePool { example.wait(for: "nginx.service is active", "nameAcquired") }
        let get = [
            "call", "--session", "-d", "org.example.UnitState1", "-o", "/org/example/UnitState1", "-m",
            "org.freedesktop.DBus.Properties.Get", "org.example.UnitState1", "State",
        ]
        #expect(try await bus.runOffThePool("gdbus", get) == "(<'active'>,)\n")
        serving.dispose()
        systemd.nginx.value = "failed"
        serving = await systemd.serve()
        await offThePool { example.wait(for: "nginx.service is failed") }
        bus.stop()
        await offThePool { example.wait(for: "asks again") }
        try bus.restart()
        systemd.nginx.value = "active"
        let again = SystemdStandIn(bus)
        again.nginx.value = "reloading"
        serving = await again.serve()
        await offThePool { example.wait(for: "nginx.service is reloading", "nameAcquired") }
        #expect(try await bus.runOffThePool("gdbus", get) == "(<'reloading'>,)\n")
        #expect(example.end() == 0)
        serving.dispose()
    }
}

/// An example of the project, run as a separate process. It ends with this object.
private final class Example: @unchecked Sendable {
    // Used by one thread at a time.
    private let process = Process()
    private let output = Pipe()
    private var said = ""

    init(_ name: String, _ arguments: [String]) throws {
        let bundle = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let folders = [bundle.path] + CommandLine.arguments
        let path = try #require(
            folders.lazy.map { URL(filePath: $0).deletingLastPathComponent().appending(path: name).path }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        )
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until it has printed all of these since the last wait.
    func wait(for texts: String...) {
        while !texts.allSatisfy(said.contains) {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                Issue.record("it ended without \(texts); it said \(said)")
                return
            }
            said += String(decoding: data, as: UTF8.self)
        }
        said = ""
    }

    func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
