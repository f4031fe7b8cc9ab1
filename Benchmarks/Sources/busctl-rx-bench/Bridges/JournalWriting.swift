import Bus
import Foundation
import Records
import SystemdBridge

extension Benchmark {
    /// The cost that writing a signal's values to the journal adds to a loop around libsystemd's call.
    static let journalWriting = Benchmark(name: "journal-writing") { settings, report in
        guard geteuid() == 0 else { return report.note("journal-writing needs root, for a /run of its own: left out") }
        let journal = try LoneJournalSocket()
        let writer = JournalWriter(identifier: "busctl-rx-bench")
        let contest = Contest(
            name: "entries with text and priority",
            events: 40_000,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    var taken: UInt64 = 0
                    withUnsafeMutablePointer(to: &taken) { taken in
                        nonisolated(unsafe) let taken = taken
                        _ = Signals.from(0..<count)
                            .write(to: writer) { JournalMessage("event number \($0)", priority: .info) }
                            .subscribe(next: { if $0 % 8 == 7 { taken.pointee += journal.take() } })
                    }
                    return taken + journal.take()
                },
                .floor("sd_journal_sendv") { count in
                    var taken: UInt64 = 0
                    for number in 0..<count {
                        try journal.sendWithLibrary("MESSAGE=event number \(number)", "PRIORITY=6")
                        if number % 8 == 7 { taken += journal.take() }
                    }
                    return taken + journal.take()
                },
            ]
        )
        report.add(
            try contest.run(settings),
            bounds: [Bound(name: "an entry written by a signal", limit: .aboveFloor(atMost: 100))]
        )
    }
}

/// Listens in place of journald, in a mount namespace of the calling thread, and reads on the same thread. So neither
/// waiting nor journald's work is measured.
private final class LoneJournalSocket: @unchecked Sendable {
    private typealias Send = @convention(c) (UnsafePointer<iovec>, CInt) -> CInt
    private typealias Unshare = @convention(c) (CInt) -> CInt
    private typealias Mount =
        @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?) ->
        CInt

    // Used by the benchmark's thread alone.
    private let descriptor: CInt
    private let send: Send
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init() throws {
        let library = dlopen("libsystemd.so.0", RTLD_NOW)
        guard let send = dlsym(library, "sd_journal_sendv"), let unshare = dlsym(nil, "unshare"),
            let mount = dlsym(nil, "mount")
        else { throw Complaint("libsystemd has no sd_journal_sendv") }
        self.send = unsafeBitCast(send, to: Send.self)
        let (newNamespace, privately, recursively): (CInt, UInt, UInt) = (0x20000, 1 << 18, 1 << 14)
        let mountAt = unsafeBitCast(mount, to: Mount.self)
        guard unsafeBitCast(unshare, to: Unshare.self)(newNamespace) == 0,
            mountAt(nil, "/", nil, privately | recursively, nil) == 0,
            mountAt("tmpfs", "/run/systemd", "tmpfs", 0, nil) == 0,
            mkdir("/run/systemd/journal", 0o755) == 0
        else { throw Complaint("cannot have a /run/systemd of one's own: \(String(cString: strerror(errno)))") }

        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/run/systemd/journal/socket".utf8) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw Complaint("cannot listen: \(String(cString: strerror(errno)))") }
    }

    /// Reads everything available. Returns how many entries that were.
    func take() -> UInt64 {
        var count: UInt64 = 0
        while recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT)) >= 0 { count += 1 }
        return count
    }

    func sendWithLibrary(_ first: String, _ second: String) throws {
        var (first, second) = (first, second)
        let result = first.withUTF8 { first in
            second.withUTF8 { second in
                withUnsafePointer(
                    to: (
                        iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
                        iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
                    )
                ) { $0.withMemoryRebound(to: iovec.self, capacity: 2) { send($0, 2) } }
            }
        }
        guard result == 0 else { throw Complaint("sd_journal_sendv answers \(result)") }
    }
}
