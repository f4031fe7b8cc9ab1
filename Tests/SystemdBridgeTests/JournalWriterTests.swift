import Bus
import BusTesting
import Glibc
import Records
import SystemdBridge
import TestSupport
import Testing

@Suite("Writing to the journal")
struct JournalWriterTests {
    @Test("An entry has an identifier, its own or the writer's")
    func identifier() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name, identifier: "pump")
        try writer.write(JournalMessage("a"))
        try writer.write(JournalMessage("b", fields: ["SYSLOG_IDENTIFIER": "valve"]))
        let sent = try receiver.receiveAll().map { try JournalDatagram($0.bytes)["SYSLOG_IDENTIFIER"] }
        #expect(sent == [["pump"], ["valve"]])
    }

    @Test("A large entry is sent as a sealed file in memory")
    func large() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name)
        // With a line feed it is sent with its length, so the reader need not search all of it.
        let text = "\n" + String(repeating: "x", count: 20_000_000)
        try writer.write(JournalMessage(text))
        let datagram = try receiver.receive()
        defer { datagram.close() }
        #expect(datagram.bytes.isEmpty)
        let file = try #require(datagram.descriptors.first)
        #expect(fcntl(file, 1034 /* F_GET_SEALS */) == 0xF)
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = read(file, &buffer, buffer.count), count > 0 { contents += buffer[..<count] }
        let isWhole = try JournalDatagram(contents)["MESSAGE"] == [text]
        #expect(isWhole)
    }

    @Test("A missing journald is named, and found again")
    func absent() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name)
        try writer.write(JournalMessage("1"))
        receiver.remove()
        for _ in 0..<2 {
            let error = #expect(throws: JournalWriteError.self) { try writer.write(JournalMessage("2")) }
            #expect(error?.reason == .absent)
            #expect(error.map { "\($0)" }?.contains(receiver.name) == true)
        }
        try receiver.listen()
        try writer.write(JournalMessage("3"))
        #expect(try JournalDatagram(receiver.receive().bytes)["MESSAGE"] == ["3"])
    }

    @Test("A journald that reads nothing is waited for once")
    func busy() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name, patience: .milliseconds(200))
        var sent = 0
        let error = #expect(throws: JournalWriteError.self) {
            while sent < 1_000_000 {
                try writer.write(JournalMessage("\(sent)"))
                sent += 1
            }
        }
        #expect(error?.reason == .busy)
        let before = ThreadWaits.count()
        let written = (0..<100).filter { _ in (try? writer.write(JournalMessage(""))) != nil }
        // Large entries, too.
        let large = JournalMessage(String(repeating: "x", count: 10_000_000))
        let hasWritten = (try? writer.write(large)) != nil
        let waits = ThreadWaits.count() - before
        #expect(written.isEmpty && !hasWritten)
        #expect(waits < 100, "each of 101 would wait otherwise")
        #expect(try receiver.receiveAll().count == sent)
        try writer.write(JournalMessage("again"))
        #expect(try JournalDatagram(receiver.receive().bytes)["MESSAGE"] == ["again"])
    }

    @Test("A signal's values are written and passed on, and losses are reported where they occurred")
    func sink() throws {
        let receiver = try DatagramReceiver()
        let writer = JournalWriter(socket: receiver.name)
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let (heard, unwritten) = (Heard<Int>(), Heard<JournalWriteError>())
        let written = source.write(to: writer, unwritten: unwritten.append) { value in
            value % 2 == 0 ? nil : JournalMessage("\(value)", priority: .notice)
        }
        _ = written.subscribe(next: heard.append, failed: { _ in })
        func sent() throws -> [String] {
            try receiver.receiveAll().map { datagram in
                let entry = try JournalDatagram(datagram.bytes)
                return (entry["MESSAGE"] + entry["LOST"].map { "LOST=\($0)" }).joined(separator: " ")
            }
        }
        for value in 1...3 { source.send(value) }
        #expect(try sent() == ["1", "3"])
        receiver.remove()
        for value in 4...7 { source.send(value) }
        try receiver.listen()
        source.send(9)
        source.sendLoss(of: 5)
        source.send(11)
        #expect(
            try sent() == [
                "2 messages are missing here LOST=2", "9", "5 messages are missing here LOST=5", "11",
            ]
        )
        #expect(heard.values == Array(1...7) + [9, 11])
        #expect(unwritten.values.map(\.reason) == [.absent, .absent])
        // The loss is at the end.
        source.sendLoss(of: 1)
        source.complete()
        #expect(try sent() == ["1 messages are missing here LOST=1"])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("A call does not hand over entries for as long as others come")
    func bounded() throws {
        let receiver = try DatagramReceiver()
        receiver.remove()
        let writer = JournalWriter(socket: receiver.name)
        let (threads, isDone) = (Heard<pthread_t>(), Latch())
        @Sendable func submit(_ left: Int) {
            writer.submit(JournalMessage("\(left)")) { _ in
                threads.append(pthread_self())
                if left > 1 { submit(left - 1) } else { isDone.open() }
            }
        }
        submit(3000)
        isDone.wait()
        #expect(threads.values.count == 3000 && threads.values.first == pthread_self())
        #expect(threads.values.last != pthread_self())
    }

    /// A receiver without room, and the number of datagrams in it.
    private func fullReceiver() throws -> (DatagramReceiver, count: Int) {
        let receiver = try DatagramReceiver()
        let impatient = JournalWriter(socket: receiver.name, patience: .zero)
        var count = 0
        while (try? impatient.write(JournalMessage("before"))) != nil { count += 1 }
        return (receiver, count)
    }

    @Test("While journald has no room the source is paused, and it resumes in order once there is some")
    func pausing() throws {
        let (receiver, count) = try fullReceiver()
        let writer = JournalWriter(socket: receiver.name, patience: .seconds(100_000))
        let before = ThreadWaits.count()
        let recorder = Recorder(Signals.from(1...100).write(to: writer) { JournalMessage("\($0)") })
        #expect(ThreadWaits.count() - before < 50, "subscribing does not wait")
        #expect(recorder.values.isEmpty && !recorder.hasEnded)
        let messages = try (0..<count + 100).flatMap { _ in try JournalDatagram(receiver.receive().bytes)["MESSAGE"] }
        #expect(messages == Array(repeating: "before", count: count) + (1...100).map { "\($0)" })
        recorder.waitForEnd()
        #expect(recorder.values == Array(1...100) && recorder.lost == 0 && recorder.violations == [])
    }

    @Test("From a source that cannot pause values are queued, and those beyond the limit are reported in place")
    func unpausable() throws {
        let (receiver, count) = try fullReceiver()
        let writer = JournalWriter(socket: receiver.name, patience: .seconds(100_000))
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let recorder = Recorder(source.write(to: writer) { JournalMessage("\($0)") })
        for value in 0..<1030 { source.send(value) }
        source.complete()
        #expect(recorder.events.isEmpty)
        let messages = try (0..<count + 1025).flatMap { _ in try JournalDatagram(receiver.receive().bytes)["MESSAGE"] }
        let areWhole = messages.dropFirst(count) == (0..<1024).map { "\($0)" } + ["6 messages are missing here"]
        #expect(areWhole)
        recorder.waitForEnd()
        let isWhole = recorder.values == Array(0..<1024)
        #expect(isWhole && recorder.lost == 6 && recorder.violations == [])
    }

    @Test("When the writer's patience is over, values are passed on unwritten, and the source continues")
    func impatience() throws {
        let (receiver, count) = try fullReceiver()
        let unwritten = Heard<JournalWriteError>()
        let writer = JournalWriter(socket: receiver.name, patience: .milliseconds(1))
        let recorder = Recorder(
            Signals.from(1...100).write(to: writer, unwritten: unwritten.append) { JournalMessage("\($0)") }
        )
        recorder.waitForEnd()
        #expect(recorder.values == Array(1...100))
        // One more for the report of the losses at the end.
        #expect(unwritten.values.map(\.reason) == Array(repeating: .busy, count: 101))
        #expect(try receiver.receiveAll().count == count)
    }

    @Test("Disposed of while it waits for room, it writes nothing more, and nothing is kept")
    func disposalWhileWaiting() throws {
        let (receiver, count) = try fullReceiver()
        let alive = Alive()
        let writer = JournalWriter(socket: receiver.name, patience: .seconds(100_000))
        do {
            let token = alive.token()
            let recorder = Recorder(
                Signals.from(1...100).write(to: writer) { JournalMessage("\($0)") }.on(next: { _ in token.sing() })
            )
            recorder.dispose()
            #expect(recorder.eventsAfterDisposal == 0)
        }
        alive.waitForNone()
        #expect(try receiver.receiveAll().count == count)
        // The writer itself continues.
        try writer.write(JournalMessage("after"))
        #expect(try JournalDatagram(receiver.receive().bytes)["MESSAGE"] == ["after"])
    }

    @Test("It keeps the delivery contract, whether journald is there or not", arguments: [true, false])
    func contract(isThere: Bool) throws {
        let receiver = try DatagramReceiver()
        if !isThere { receiver.remove() }
        let writer = JournalWriter(socket: receiver.name, patience: .zero)
        let check = ContractCheck("write(to:)") { sources in
            sources[0].write(to: writer) { JournalMessage("\($0)", priority: .debug) }
        }
        #expect(check.violations() == [])
    }
}
