import CLinux
import Glibc
import Synchronization

/// The parts of one datagram.
struct Parts {
    static let empty = Parts([])

    let first: [UInt8]
    let second: [UInt8]

    init(_ first: [UInt8], _ second: [UInt8] = []) {
        self.first = first
        self.second = second
    }

    /// Returns zero, or a negated error.
    func send(to socket: CInt, _ descriptors: [CInt]) -> CInt {
        withVectors { vectors, count in
            clinux_datagram_send(socket, vectors, count, descriptors, descriptors.count)
        }
    }

    /// The same, waiting for capacity in the receiver's queue.
    func send(
        to socket: CInt,
        _ descriptors: [CInt],
        _ patience: Duration,
        _ isStuck: borrowing Atomic<Bool>
    ) throws(DatagramSocket.Failure) -> CInt {
        let end = ContinuousClock.now + patience
        while true {
            let code = send(to: socket, descriptors)
            guard code == -EAGAIN else { return code }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero, !isStuck.load(ordering: .relaxed) else { return code }
            let ready = clinux_datagram_wait(socket, CInt(clamping: left.microseconds / 1000 + 1))
            guard ready >= 0 else { throw .system(step: "wait for", code: -ready) }
            if ready == 0 {
                isStuck.store(true, ordering: .relaxed)
                return code
            }
        }
    }

    func sealedFile() -> CInt {
        withVectors { vectors, count in clinux_sealed_file("journal-entry", vectors, count) }
    }

    private func withVectors(_ body: (UnsafePointer<iovec>?, CInt) -> CInt) -> CInt {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                // The kernel only reads the data that it sends, so a mutable view of it is safe.
                let one = iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count)
                let two = iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
                return withUnsafePointer(to: (one, two)) { pair in
                    pair.withMemoryRebound(to: iovec.self, capacity: 2) { body($0, second.isEmpty ? 1 : 2) }
                }
            }
        }
    }
}

extension Duration {
    /// Whole microseconds, rounded up; zero for negative durations, and the maximum for longer ones.
    var microseconds: Int64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let part = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : whole.addingReportingOverflow(part).overflow ? .max : whole + part
    }
}
