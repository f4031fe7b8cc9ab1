import Bus
import Dispatch
import Glibc
import TapBridge

/// Watches a tap in a separate process. Writes a byte to standard output for every ``batch`` events received.
///
/// The benchmark starts its own program for this, with ``argument`` first.
enum TapWatcherProcess {
    /// The first argument of such a process. The socket's path and the kind of reader follow.
    static let argument = "--tap-watcher"
    /// This many events are acknowledged by one byte.
    static let batch = 1024
    static let filter = "value.exitStatus != 0"
    private static let buffer = 8 << 20

    enum Reader: String {
        /// `TapClient`, which creates a value from every event.
        case client
        /// A loop around `read` that counts zero bytes: the least work of a reader.
        case bare
    }

    /// Runs until the tap ends.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let reader = Reader(rawValue: arguments[1]) else {
            throw Complaint("\(argument) needs a path and the kind of reader")
        }
        switch reader {
        case .client: watch(arguments[0])
        case .bare: try read(arguments[0])
        }
    }

    private static func watch(_ path: String) {
        let acknowledgement = Countdown(from: batch) { PartProcess.acknowledge() }
        let end = DispatchSemaphore(value: 0)
        let subscription = TapClient(path: path).watch(filter: filter, buffer: buffer).subscribe(
            next: { news in
                switch news {
                case .event: acknowledgement.count()
                case .began: PartProcess.acknowledge()
                case .gap, .position: break
                }
            },
            failed: { _ in end.signal() },
            completed: { end.signal() }
        )
        end.wait()
        subscription.dispose()
    }

    private static func read(_ path: String) throws {
        let socket = try connect(path)
        let parameters = #"{"filter":"\#(filter)","count":\#(Int.max),"buffer":\#(buffer),"announce":true}"#
        let call = Array(#"{"method":"org.busctl-rx.Tap.Watch","parameters":\#(parameters),"more":true}"#.utf8) + [0]
        guard Glibc.write(socket, call, call.count) == call.count else { throw Complaint("cannot write to \(path)") }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        // The first message reports that the watch has begun.
        var left = 1
        while true {
            let count = Glibc.read(socket, block.baseAddress, block.count)
            if count <= 0 { return }
            var rest = UnsafeRawBufferPointer(rebasing: block[..<count])
            while let start = rest.baseAddress, let zero = memchr(start, 0, rest.count) {
                rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(zero) - start + 1)...])
                left -= 1
                guard left == 0 else { continue }
                left = batch
                PartProcess.acknowledge()
            }
        }
    }

    static func connect(_ path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Complaint("cannot connect to \(path): error \(errno)") }
        return descriptor
    }
}
