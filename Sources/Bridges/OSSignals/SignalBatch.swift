import CLinux
import Glibc

/// Room for the result of one read(2) of a signal descriptor.
///
/// Used only on the thread of the event loop.
final class SignalBatch: @unchecked Sendable {
    // Touched by the event loop's thread, to whose watch it belongs; freed with it.
    private let records: UnsafeMutableBufferPointer<signalfd_siginfo>

    static let capacity = 64

    init() {
        records = .allocate(capacity: Self.capacity)
        records.initialize(repeating: signalfd_siginfo())
    }

    deinit {
        records.deallocate()
    }

    /// Reads the waiting signals, as many as it has capacity for; returns how many there were.
    func read(_ descriptor: CInt) -> Int {
        let size = MemoryLayout<signalfd_siginfo>.stride
        var count = 0
        repeat {
            count = Glibc.read(descriptor, records.baseAddress, size * records.count)
        } while count < 0 && errno == EINTR
        return max(0, count / size)
    }

    subscript(index: Int) -> OSSignal { OSSignal(records[index]) }
}

extension OSSignal {
    init(_ info: signalfd_siginfo) {
        let number = CInt(bitPattern: info.ssi_signo)
        let code = clinux_signal_code(info.ssi_code)
        let wasHandedOn = code != info.ssi_code
        if number == SIGCHLD, code > 0 {
            // A child's status is in the place of other signals' value; the code decides how it is read.
            self.init(
                number: number,
                code: code,
                pid: pid_t(bitPattern: info.ssi_pid),
                uid: info.ssi_uid,
                status: wasHandedOn ? info.ssi_int : info.ssi_status
            )
        } else if code > 0 {
            // The kernel made it: no process sent it, and the sender's fields have another meaning.
            self.init(number: number, code: code)
        } else {
            self.init(
                number: number,
                code: code,
                pid: pid_t(bitPattern: info.ssi_pid),
                uid: info.ssi_uid,
                value: info.ssi_int,
                payload: UInt(info.ssi_ptr)
            )
        }
    }
}
