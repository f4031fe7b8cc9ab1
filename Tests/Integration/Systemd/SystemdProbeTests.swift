import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The systemd bridge in a separate process")
struct SystemdProbeTests {
    static let probe = Probe.folder + "/systemd-probe"

    @Test("A process started with sockets takes them over once")
    func activation() throws {
        let folder = try TemporaryFolder()
        let stream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(stream) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.path("s").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(stream, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && listen(stream, 1) == 0)
        let file = open("/etc/hostname", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        // The shell becomes the probe, so the process id is the right one.
        let lines = try Probe.lines(
            "/bin/sh",
            ["-c", "LISTEN_PID=$$ exec \(Self.probe) activation"],
            environment: ["LISTEN_FDS": "2", "LISTEN_FDNAMES": "web:data"],
            passing: [stream, file]
        )
        #expect(lines == ["3 web: a Unix stream socket that listens", "4 data: a plain file", "then 0"])
    }

    @Test("Descriptors that are announced but missing, and those of another process")
    func wrongActivation() throws {
        let missing = try Probe.lines(
            "/bin/sh",
            ["-c", "LISTEN_PID=$$ exec \(Self.probe) activation"],
            environment: ["LISTEN_FDS": "30"]
        )
        #expect(missing.count == 1 && missing[0].contains("cannot take over descriptor"))
        let foreign = try Probe.lines(
            Self.probe,
            ["activation"],
            environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"]
        )
        #expect(foreign == ["then 0"])
    }

    @Test("A process without a free descriptor reports what it tried, and its existing sockets still work")
    func exhaustion() throws {
        let (notify, journal) = (try DatagramReceiver(), try DatagramReceiver())
        let lines = try Probe.lines(Self.probe, ["exhaustion", notify.name, journal.name])
        let limit = "raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        let tooMany = "Too many open files (error 24); \(limit)"
        #expect(
            lines == [
                "before: done",
                "before: done",
                "notify: cannot tell the service manager: cannot open a socket to \(notify.name): \(tooMany)",
                "barrier: cannot tell the service manager: cannot open a pipe for a barrier to \(notify.name): \(tooMany)",
                "journal: cannot write to the journal: cannot open a socket to \(journal.name): \(tooMany)",
                "large: cannot write to the journal: cannot make a file in memory for a large entry to \(journal.name): "
                    + tooMany,
                "credential: cannot open the credential /etc/hostname: Too many open files (error 24)",
                "open manager: done",
                "open writer: done",
            ]
        )
        #expect(try notify.receiveAll().map(\.text) == ["READY=1\n", "STOPPING=1\n"])
    }

    @Test("After many registrations and releases nothing is left")
    func leftovers() throws {
        let times = Stress.rounds(2_000, stress: 100_000)
        // Nobody reads. The queue is full after ten, which takes another code path.
        let (notify, journal) = (try DatagramReceiver(), try DatagramReceiver())
        let lines = try Probe.lines(Self.probe, ["leftovers", notify.name, journal.name, "\(times)"])
        #expect(lines.count == 4)
        #expect(lines.prefix(2) == ["descriptors 0", "threads 0"])
        #expect(lines.last == "signals as before")
        let growth = try #require(
            lines.first { $0.hasPrefix("kilobytes") }?.split(separator: " ").last.flatMap { Int($0) }
        )
        // The long form would show a leak of 16 bytes each. The allocator keeps a few hundred KB.
        #expect(isSanitized || growth < max(1500, times / 64))
    }
}
