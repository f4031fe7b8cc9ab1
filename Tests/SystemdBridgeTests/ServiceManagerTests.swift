import Foundation
import Glibc
import SystemdBridge
import TestSupport
import Testing
import SystemPackage

@Suite("The service manager")
struct ServiceManagerTests {
    @Test("Without a service manager nobody is notified, which is not an error")
    func notSupervised() throws {
        let manager = ServiceManager(socket: nil)
        #expect(!manager.isSupervised)
        #expect(try manager.notify(.ready) == false)
        #expect(try manager.store([.standardInput], name: "x") == false)
        #expect(try manager.removeStored("x") == false)
        #expect(try manager.barrier() == false)
    }

    @Test("Notifications made at once are sent in one datagram, in order")
    func states() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        #expect(try manager.notify(.ready, .status("serving"), .mainProcess(42), .errno(.noSuchFileOrDirectory)))
        #expect(try receiver.receive().lines == ["READY=1", "STATUS=serving", "MAINPID=42", "ERRNO=2"])
        try manager.notify(.stopping, .extendTimeout(.milliseconds(1500)), .watchdogInterval(.seconds(2)))
        #expect(
            try receiver.receive().lines == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=1500000", "WATCHDOG_USEC=2000000"]
        )
        try manager.notify(.alive)
        try manager.notify(.broken)
        try manager.notify(.other(name: "X_MINE", value: "1"))
        #expect(try receiver.receiveAll().map(\.text) == ["WATCHDOG=1\n", "WATCHDOG=trigger\n", "X_MINE=1\n"])
    }

    @Test("Reloading contains the time when it began")
    func reloading() throws {
        let receiver = try DatagramReceiver()
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
        }
        let before = now()
        try ServiceManager(socket: receiver.name).notify(.reloading)
        let lines = try receiver.receive().lines
        #expect(lines.first == "RELOADING=1")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { Int($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect((before...now()).contains(time))
    }

    @Test("What systemd would drop because of its length is an error")
    func tooLong() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        let most = String(repeating: "x", count: 4096 - "STATUS=\n".count)
        try manager.notify(.status(most))
        #expect(try receiver.receive().text == "STATUS=\(most)\n")
        let error = #expect(throws: NotifyError.self) { try manager.notify(.ready, .status(most)) }
        #expect(error?.description.contains("4096") == true, "\(String(describing: error))")
    }

    @Test("A status cannot inject an assignment")
    func injection() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        try manager.notify(.status("one\nMAINPID=1"))
        #expect(try receiver.receive().text == "STATUS=one MAINPID=1\n")
        #expect(throws: NotifyError.self) { try manager.notify(.other(name: "X", value: "a\nREADY=1")) }
        #expect(throws: NotifyError.self) { try manager.notify(.other(name: "X=1\nREADY", value: "1")) }
        #expect(throws: NotifyError.self) { try manager.store([.standardInput], name: "a:b") }
        #expect(throws: NotifyError.self) { try manager.store([.standardInput], name: "a\nREADY=1") }
        #expect(try receiver.receiveAll().isEmpty)
    }

    @Test("An abstract socket")
    func abstract() throws {
        let receiver = try DatagramReceiver(name: "@busctl-rx-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
        try ServiceManager(socket: receiver.name).notify(.ready)
        #expect(try receiver.receive().text == "READY=1\n")
    }

    @Test("A missing socket is named, and found once it is there")
    func missing() throws {
        let receiver = try DatagramReceiver()
        receiver.remove()
        let manager = ServiceManager(socket: receiver.name)
        let error = #expect(throws: NotifyError.self) { try manager.notify(.ready) }
        #expect(error == .system(operation: "connect to", socket: receiver.name, errno: .noSuchFileOrDirectory))
        #expect(error.map { "\($0)" }?.contains(receiver.name) == true)
        try receiver.listen()
        #expect(try manager.notify(.ready))
        receiver.remove()
        #expect(throws: NotifyError.self) { try manager.notify(.ready) }
        try receiver.listen()
        #expect(try manager.notify(.stopping))
        #expect(try receiver.receive().text == "STOPPING=1\n")
    }

    @Test("A full socket is waited for once, and only for a limited time")
    func full() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name, patience: .milliseconds(50))
        var sent = 0
        let error = #expect(throws: NotifyError.self) {
            while sent < 1_000_000 {
                try manager.notify(.status("\(sent)"))
                sent += 1
            }
        }
        #expect(error == .full(socket: receiver.name))
        #expect(error.map { "\($0)" }?.contains("queue is full") == true)
        let before = ThreadWaits.count()
        let told = (0..<50).filter { _ in (try? manager.notify(.ready)) != nil }
        let waits = ThreadWaits.count() - before
        #expect(told.isEmpty)
        #expect(waits < 25, "only the first waits")
        #expect(try receiver.receiveAll().count == sent)
        try manager.notify(.ready)
        #expect(try receiver.receive().text == "READY=1\n")
    }

    @Test("Room that becomes free in time is used")
    func room() throws {
        let receiver = try DatagramReceiver()
        #expect(throws: NotifyError.self) {
            let impatient = ServiceManager(socket: receiver.name, patience: .zero)
            for _ in 0..<1_000_000 { try impatient.notify(.alive) }
        }
        let (thread, outcome) = (Heard<String>(), Heard<Bool>())
        let patient = ServiceManager(socket: receiver.name, patience: .seconds(100_000))
        let notifying = try TestThread {
            thread.append((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "self")
            outcome.append((try? patient.notify(.ready)) == true)
        }
        // It sleeps once it has found that there is no room.
        try NewsBoard().waitOrThrow("the thread to sleep") {
            guard let path = thread.values.first else { return false }
            let text = try? String(contentsOfFile: "/proc/\(path)/stat", encoding: .utf8)
            return text?.split(separator: ")").last?.hasPrefix(" S") == true
        }
        #expect(outcome.values.isEmpty)
        _ = try receiver.receive()
        notifying.wait()
        #expect(outcome.values == [true])
    }

    @Test("An invalid $NOTIFY_SOCKET is reported")
    func address() {
        for name in ["vsock:2:1", "relative/path"] {
            let error = #expect(throws: NotifyError.self) { try ServiceManager(socket: name).notify(.ready) }
            #expect(error == .unsupportedAddress(name))
        }
        let long = "/" + String(repeating: "x", count: 200)
        let error = #expect(throws: NotifyError.self) { try ServiceManager(socket: long).notify(.ready) }
        #expect(error == .system(operation: "connect to", socket: long, errno: .fileNameTooLong))
    }

    @Test("Descriptors are passed under their name, even more than the kernel takes at once")
    func store() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try manager.store([FileDescriptor(rawValue: file)], name: "listener", isPolled: false)
        let datagram = try receiver.receive()
        defer { datagram.close() }
        #expect(datagram.lines == ["FDSTORE=1", "FDNAME=listener", "FDPOLL=0"])
        var (here, there) = (stat(), stat())
        let received = try #require(datagram.descriptors.first)
        #expect(fstat(file, &here) == 0)
        #expect(fstat(received, &there) == 0)
        #expect(here.st_rdev == there.st_rdev && here.st_ino == there.st_ino)

        try manager.store(Array(repeating: FileDescriptor(rawValue: file), count: 300), name: "many")
        let parts = try receiver.receiveAll()
        #expect(parts.map(\.descriptors.count) == [253, 47])
        for part in parts { part.close() }
        try manager.removeStored("many")
        #expect(try receiver.receive().lines == ["FDSTOREREMOVE=1", "FDNAME=many"])
    }

    @Test("A barrier returns when the manager has reached it")
    func barrier() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        let asked = Heard<DatagramReceiver.Datagram>()
        let answered = try TestThread {
            guard let datagram = try? receiver.receive() else { return }
            asked.append(datagram)
            datagram.close()
        }
        #expect(try manager.barrier(within: .seconds(100_000)))
        answered.wait()
        #expect(asked.values.map(\.text) == ["BARRIER=1"])
        #expect(asked.values.map(\.descriptors.count) == [1])
    }

    @Test("A barrier that nobody answers still ends")
    func unanswered() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name)
        let error = #expect(throws: NotifyError.self) { try manager.barrier(within: .milliseconds(20)) }
        #expect(error == .unanswered(socket: receiver.name, after: .milliseconds(20)))
        for datagram in try receiver.receiveAll() { datagram.close() }
    }

    @Test("Several threads may notify at once")
    func threads() throws {
        let receiver = try DatagramReceiver()
        let manager = ServiceManager(socket: receiver.name, patience: .seconds(100_000))
        let threads = try (0..<4).map { thread in
            try TestThread { for index in 0..<500 { _ = try? manager.notify(.status("\(thread) \(index)")) } }
        }
        var next = [0, 0, 0, 0]
        for _ in 0..<2000 {
            let words = try receiver.receive().text.dropFirst("STATUS=".count).dropLast().split(separator: " ")
            let (thread, index) = (try #require(Int(words[0])), try #require(Int(words[1])))
            #expect(next[thread] == index)
            next[thread] += 1
        }
        for thread in threads { thread.wait() }
    }
}
