import DBusBridge
import Foundation
import Glibc
import TestSupport
import Testing
import SystemPackage

@Suite(
    "busctl-rx writes messages of D-Bus as busctl does",
    .enabled(
        if: ["dbus-daemon", "dbus-send", "busctl"].allSatisfy { Command.exists("/usr/bin/\($0)") },
        "needs dbus-daemon, dbus-bin and systemd"
    )
)
struct CommandLineDBusFormatTests {
    /// Each type of the specification: alone, in a variant, in an array, in a structure and as the value of a
    /// dictionary.
    private static var arguments: [[DBusValue]] {
        get throws {
            let file = try DBusDescriptor(duplicating: .standardInput)
            let basic: [DBusValue] = [
                .byte(255), .boolean(true), .boolean(false), .int16(-32_768), .uint16(65_535), .int32(-5),
                .uint32(.max),
                .int64(.min), .uint64(.max), .double(1.5), .double(-1e300), .double(0),
                .string("tab\t\"quote\" \\ ü\n\u{1}"),
                .string(""), .objectPath("/a/b_1"), .signature("a{sv}"), .descriptor(file),
            ]
            let nested: [DBusValue] = [
                .bytes([0, 1, 255]), .bytes([]), .array([], of: .string), .array(["a", "b"], of: .string),
                .array([.array([.int32(1)], of: .int32), .array([], of: .int32)], of: .array(.int32)),
                .structure([.byte(1), .structure(["x", .variant(.variant(.int64(1)))])]),
                ["key": .structure([.int32(1), "x"]), "": .variant(.array([true, false], of: .boolean))],
                .array([["a": 1.dbus], [:]], of: .dictionary(key: .string, value: .variant)),
                .dictionary(
                    DBusDictionary(
                        keyType: .objectPath,
                        valueType: .dictionary(key: .string, value: .variant),
                        entries: [.init(key: .objectPath("/x"), value: ["y": .bytes([1])])]
                    )
                ),
            ]
            let all = basic + nested
            return all.map { [$0] }
                + all.map { [.variant($0), .array([$0, $0], of: $0.type), .structure([$0, "end"])] }
                + [[], all.filter { $0.type != .descriptor }, [.descriptor(file), .variant(.descriptor(file))]]
        }
    }

    @Test("JSON has busctl's values, for every type within every other")
    func json() async throws {
        let scene = try DBusScene()
        let judge = try scene.startMonitor("--json=short")
        let process = try scene.start("tail", scene.from, "-o", "json", "interface == 'org.example.Door'")
        let connection = scene.connection
        let arguments = try Self.arguments
        for values in arguments {
            try await connection.emit(at: "/door", interface: DBusScene.interface, member: "Opened", arguments: values)
        }
        try await connection.emit(at: "/door", interface: DBusScene.interface, member: "Last")
        try judge.wait(forOutput: "\"member\":\"Last\"")
        try process.wait(forOutput: "\"member\":\"Last\"")
        try judge.interrupt()
        try process.interrupt()
        let theirs = judge.objects.filter { $0["interface"] as? String == DBusScene.interface }
        let ours = process.objects
        #expect(theirs.count == arguments.count + 1 && ours.count == theirs.count)
        for (our, their) in zip(ours, theirs) {
            let fields = try #require(our["fields"] as? [String: Any])
            let payload = try #require(their["payload"] as? [String: Any])
            #expect(fields["signature"] as? String == payload["type"] as? String)
            #expect(try Self.text(fields["args"]) == Self.text(payload["data"]))
            for name in ["type", "sender", "path", "interface", "member"] {
                #expect(fields[name] as? String == their[name] as? String)
            }
            #expect(fields["cookie"] as? Int == their["cookie"] as? Int)
        }
    }

    private static func text(_ value: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: value ?? [], options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    @Test("verbose is the output of busctl monitor, below the time and the source")
    func verbose() async throws {
        let scene = try DBusScene()
        let judge = try scene.startMonitor("--match=interface='org.example.Door'")
        let process = try scene.start("tail", scene.from, "-o", "verbose", "interface == 'org.example.Door'")
        let connection = scene.connection
        for values in try Self.arguments {
            let known = values.filter { !"\($0.type)".contains("h") && !"\($0)".contains("descriptor") }
            // busctl prints the bytes of a text unchanged, even a control character.
            try await connection.emit(at: "/door", interface: DBusScene.interface, member: "Opened", arguments: known)
        }
        try await connection.emit(at: "/door", interface: DBusScene.interface, member: "Last")
        try judge.wait(forOutput: "Member=Last")
        try judge.wait(forOutput: "Member=Last\n  UniqueName")
        try process.wait(forOutput: "Member=Last")
        let theirs = try judge.interrupt().output
        let ours = try process.interrupt().output
        let lines = ours.split(separator: "\n", omittingEmptySubsequences: false)
        let own = lines.filter { $0.hasPrefix("    ") || $0.isEmpty }.map { $0.dropFirst(4) }
        #expect(Self.comparable(own.joined(separator: "\n")) == Self.comparable(theirs))
        #expect(lines.count { $0.contains(" dbus #") } == ours.split(separator: "\u{2023}").count - 1)
    }

    /// Without empty lines, the byte order, which only busctl prints, and the times, which differ between readers.
    private static func comparable(_ text: String) -> [Substring] {
        text.replacing("  Endian=l", with: "").replacing(/Timestamp="[^"]*"/, with: "Timestamp")
            .split(separator: "\n").filter { !$0.isEmpty }
    }

    @Test("--monitor hears a call, its answer and an error; they are not heard without it")
    func monitor() throws {
        let scene = try DBusScene()
        let plain = try scene.start("tail", scene.from, "-o", "json")
        let process = try scene.start(
            "tail",
            scene.from,
            "--monitor",
            "-o",
            "json",
            "member == 'NameHasOwner' || reply_cookie > 0 && type == 'error' || args == [false]"
        )
        let call = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]
        try scene.bus.run("dbus-send", call + ["org.freedesktop.DBus.NameHasOwner", "string:org.example.Nobody"])
        #expect(throws: TestBus.Failure.self) {
            try scene.bus.run("dbus-send", call + ["org.freedesktop.DBus.GetNameOwner", "string:org.example.Nobody"])
        }
        try process.wait(forOutput: "NameHasNoOwner")
        try scene.send("Last")
        try plain.wait(forOutput: "\"Last\"")
        try process.interrupt()
        try plain.interrupt()
        let fields = process.objects.compactMap { $0["fields"] as? [String: Any] }
        #expect(fields.map { $0["type"] as? String } == ["method_call", "method_return", "error"])
        #expect(fields[0]["destination"] as? String == "org.freedesktop.DBus")
        #expect(fields[1]["reply_cookie"] as? Int == fields[0]["cookie"] as? Int)
        #expect(fields[1]["destination"] as? String == fields[0]["sender"] as? String)
        #expect(fields[2]["error_name"] as? String == "org.freedesktop.DBus.Error.NameHasNoOwner")
        #expect(process.objects.last?["severity"] as? String == "warning")
        let heard = plain.objects.compactMap { ($0["fields"] as? [String: Any])?["type"] as? String }
        #expect(Set(heard) == ["signal"])
    }

    @Test("--monitor with a rule hears the messages that the rule matches")
    func monitoredMatch() throws {
        let scene = try DBusScene()
        let process = try scene.start(
            "tail",
            scene.from,
            "--monitor",
            "--match=type='method_call',member='ListNames'",
            "--template={message}",
            "--count=1"
        )
        let call = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]
        try scene.bus.run("dbus-send", call + ["org.freedesktop.DBus.GetId"])
        try scene.bus.run("dbus-send", call + ["org.freedesktop.DBus.ListNames"])
        #expect(
            try process.end().output
                == "calls org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.ListNames()\n"
        )
    }

    @Test("a bus that refuses to be monitored is reported")
    func refused() throws {
        let scene = try DBusScene(
            policy: #"<deny send_interface="org.freedesktop.DBus.Monitoring" send_destination="org.freedesktop.DBus"/>"#
        )
        let ended = try TailProcess.run("tail", scene.from, "--monitor")
        #expect(ended.status == 3 && ended.output == "")
        #expect(ended.errors.contains("monitor") && ended.errors.contains("AccessDenied"), "\(ended.errors)")
    }

    @Test("count counts the messages by member")
    func count() throws {
        let scene = try DBusScene()
        // The last request that a listener sends to the bus before it hears everything.
        let monitor = try scene.start("tail", scene.from, "--monitor", "-o", "cat", "--count=1", "member == 'GetId'")
        let process = try TailProcess([
            "count", scene.from, "-f", "--by", "member", "--every", "10ms", "-o", "csv",
            "interface == 'org.example.Door'",
        ])
        _ = try monitor.end()
        for member in ["Opened", "Closed"] { try scene.send(member) }
        // The rows of a span are written one second after it is over.
        try process.wait(forOutput: "Closed,1\n")
        let ended = try process.interrupt()
        #expect(ended.output.contains("Opened,1\n") && ended.status == -SIGTERM)
    }
}

extension Int {
    /// As a variant's value.
    fileprivate var dbus: DBusValue { .variant(.int32(Int32(self))) }
}
