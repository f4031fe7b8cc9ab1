import CLinux
import Glibc
import Records

/// Bytes that wait for a client to read them.
struct SendQueue: ~Copyable {
    /// The data being sent, and how much of it was.
    private var front = OutputBuffer(capacity: 4096)
    private var sent = 0
    private var back = OutputBuffer(capacity: 4096)

    var count: Int { front.count - sent + back.count }

    mutating func append(_ write: (inout OutputBuffer) -> Void) { write(&back) }

    /// Sends as much as the client's socket takes: true when nothing is left, false when the socket is full.
    ///
    /// - Throws: the system's error when the client is gone.
    mutating func flush(to descriptor: CInt) throws(SendError) -> Bool {
        while true {
            if sent == front.count {
                front.removeAll()
                sent = 0
                if back.isEmpty { return true }
                swap(&front, &back)
            }
            let result = front.withBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return clinux_unix_send(descriptor, rest.baseAddress, rest.count)
            }
            if result == -Int(EAGAIN) { return false }
            guard result >= 0 else { throw SendError(code: CInt(-result)) }
            sent += result
        }
    }

    struct SendError: Error {
        let code: CInt
    }
}
