import Bus
import Foundation
import Glibc
import TestSupport
import Testing

@testable import TapBridge

/// A client that knows nothing of this package except what TapBridge.docc says. It prints each record of a watch on a
/// line, in either framing.
private let client = #"""
    import json, socket, struct, sys
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(sys.argv[1])
    call = {"method": "org.busctl-rx.Tap.Watch", "parameters": json.loads(sys.argv[2]), "more": True}
    connection.sendall(json.dumps(call).encode() + b"\0")
    stream = connection.makefile("rb")
    def read(count):
        data = stream.read(count)
        if len(data) < count: sys.exit("the tap has left")
        return data
    def message():
        text = b""
        while not text.endswith(b"\0"): text += read(1)
        return json.loads(text[:-1])
    names, frames = [], False
    while True:
        if not frames:
            reply = message()
        else:
            frame = read(struct.unpack("<I", read(4))[0])
            if frame[0] == 0:
                reply = json.loads(frame[1:])
            elif frame[0] == 1:
                number = struct.unpack("<I", frame[1:5])[0]
                names = names[:number] + [json.loads(frame[5:])]
                continue
            else:
                number, sequence, time, uptime = struct.unpack("<IQqq", frame[1:29])
                record = {"kind": "event", "sequence": sequence, "time": time, "uptime": uptime}
                reply = {"parameters": {**record, **names[number], **json.loads(frame[29:])}, "continues": True}
        record = reply["parameters"]
        # The clock of the day may be read at another moment for each watch.
        record.pop("time", None)
        frames = frames or record.pop("framing", "") == "compact"
        print(json.dumps(record, sort_keys=True), flush=True)
        if not reply.get("continues"): break
    """#

private let paths: [String] = ["/usr/bin/python3", "/usr/local/bin/python3"]
private let python = paths.first { access($0, X_OK) == 0 } ?? ""

@Suite("Both framings, heard by other processes", .enabled(if: !python.isEmpty, "needs python3"))
struct CompactProcessTests {
    private func start(_ served: Served, _ parameters: String) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", client, served.folder.socket, parameters]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    @Test("They contain the same events")
    func same() throws {
        let served = try Served()
        let count = 200
        let both = try ["json", "compact"].map { framing in
            try start(served, #"{"framing": "\#(framing)", "announce": true, "count": \#(count), "buffer": 8388608}"#)
        }
        waitUntil { served.tap.activity.watches == 2 }
        var generator = SeededGenerator(9)
        for number in 0..<count {
            let topic = try Topic<Deployment>(checking: "deploy.t\(generator.number(0..<20))")
            let bus = generator.chance(30) ? served.bus.child(named: "é \"\(number % 3)\"") : served.bus
            bus.post(Deployment(service: generator.pick(["a\"b", "\u{1F600}", ""]), version: number), to: topic)
        }
        let texts = both.map { process, handle in
            defer { process.waitUntilExit() }
            return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
        }
        #expect(texts[0].count == count + 2)
        #expect(texts[0] == texts[1])
        #expect(texts[1].last == #"{"kind": "end", "reason": "count"}"#)
    }

    @Test("A gap is reported in its place")
    func gap() throws {
        var options = TapOptions()
        options.queue = 16
        let served = try Served(options)
        let (process, handle) = try start(served, #"{"framing": "compact", "count": 40}"#)
        waitUntil { served.isWatched }
        // The tap's thread waits inside `encode(to:)` until more values were posted than the queue holds.
        let gate = Gate()
        served.bus.post(Held(gate: gate), to: Topic<Held>("held"))
        waitUntil { gate.isReached }
        for number in 0..<100 { served.bus.post(number, to: Topic<Int>("numbers")) }
        gate.open()
        waitUntil { served.tap.activity.lost > 0 }
        // The watch ends by itself after the first event that follows the gap.
        waitUntil {
            served.bus.post(0, to: Topic<Int>("numbers"))
            return !served.isWatched
        }
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.contains(#""kind": "gap""#) && text.contains(#""reason": "queue""#))
    }
}

/// Blocks a thread until it is opened.
private final class Gate: Sendable {
    private let state = Lock((isReached: false, isOpen: false))
    var isReached: Bool { state.withLock { $0.isReached } }
    func open() { state.withLock { $0.isOpen = true } }

    func pass() {
        state.withLock { $0.isReached = true }
        waitUntil { state.withLock { $0.isOpen } }
    }
}

private struct Held: Encodable, Sendable {
    let gate: Gate

    func encode(to encoder: any Encoder) throws {
        gate.pass()
        var container = encoder.singleValueContainer()
        try container.encode("held")
    }
}
