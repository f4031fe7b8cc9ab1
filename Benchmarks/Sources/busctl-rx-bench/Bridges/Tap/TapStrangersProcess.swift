import Glibc

/// Malicious clients of a tap in a separate process: a watch that is never read, one that is read a byte a second,
/// filters made to use much time, half messages, and repeated garbage.
enum TapStrangersProcess {
    /// The first argument of such a process. The socket's path follows.
    static let argument = "--tap-strangers"

    /// Evaluated for each event, as far as the tap allows.
    private static let burning: String = {
        let numbers = (1...40).map { "\($0)" }.joined(separator: ",")
        return "[\(numbers)].exists(a, [\(numbers)].exists(b, a * b == value.at))"
    }()

    /// Runs until it is killed.
    static func run(_ arguments: [String]) throws {
        guard let path = arguments.first, arguments.count == 1 else { throw Complaint("\(argument) needs a path") }
        _ = try watch(path, "true")
        let slow = try watch(path, "true")
        for _ in 0..<2 { _ = try watch(path, burning) }
        for _ in 0..<10 { try send(#"{"method":"org.busctl-rx.Tap.Wa"#, to: TapWatcherProcess.connect(path)) }
        PartProcess.acknowledge()
        var byte: UInt8 = 0
        for round in 0... {
            if round % 1000 == 0 { _ = read(slow, &byte, 1) }
            let stranger = try TapWatcherProcess.connect(path)
            try send("garbage\0", to: stranger)
            // The answer, and the end.
            while read(stranger, &byte, 1) > 0 {}
            close(stranger)
            usleep(1000)
        }
    }

    private static func watch(_ path: String, _ filter: String) throws -> CInt {
        let descriptor = try TapWatcherProcess.connect(path)
        let parameters = #"{"filter":"\#(filter)","count":\#(Int.max)}"#
        try send(
            #"{"method":"org.busctl-rx.Tap.Watch","parameters":\#(parameters),"more":true}"# + "\0",
            to: descriptor
        )
        return descriptor
    }

    private static func send(_ text: String, to descriptor: CInt) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Complaint("cannot write to the tap: error \(errno)")
        }
    }
}
