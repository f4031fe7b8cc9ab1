public import Bus
import CLinux
import DescriptorBridge
import Glibc
import Records
import SystemPackage

/// Looks into another program through the tap that it serves. See <doc:TapBridge>.
///
/// ```swift
/// import Bus
/// import TapBridge
///
/// let deployer = TapClient(path: "/run/deployer.tap")
/// let failures = deployer.watch(pattern: "deploy.*", filter: "value.exitStatus != 0")
///     .subscribe(next: { print($0) }, failed: { print($0) })
/// ```
///
/// Each subscription connects anew and ends its connection when it ends.
public struct TapClient: Sendable, Hashable {
    /// The socket of the tap.
    public let path: String

    /// Connects to nothing yet.
    ///
    /// - Parameter path: the socket of the tap.
    public init(path: String) {
        self.path = path
    }

    /// Calls a method of the tap. Cold.
    ///
    /// ```
    /// replies    --r--r--r--|
    /// ```
    ///
    /// - Ends: after the last reply.
    /// - Fails: with ``TapClientError``, when the tap cannot be reached, refuses the call, or ends before the last reply.
    /// - Cancelling: closes the connection.
    /// - Buffers: the result of one read, 64 KiB; while the subscriber pauses, the rest stays in the socket. A reply
    ///   may have 16 MiB.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - method: the full name, as in `org.busctl-rx.Tap.Topics`. Only
    ///     ``watch(pattern:filter:count:for:buffer:on:)`` reads events in the compact framing; here they are a
    ///     malformed reply.
    ///   - parameters: the text of a JSON object.
    ///   - wantsMore: whether the method may reply more than once.
    ///   - scheduler: where replies are read.
    public func replies(
        to method: String,
        parameters: [UInt8] = Array("{}".utf8),
        wantsMore: Bool = false,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<TapReply, TapClientError> {
        connection(Self.message(method, parameters, wantsMore: wantsMore), TapReplies(path: path), scheduler)
    }

    /// Sends a call, and reads the tap's answers with `reader`.
    func connection<Reader: Transducer, Output: Sendable>(
        _ call: [UInt8],
        _ reader: Reader,
        _ scheduler: some Scheduler
    ) -> some Signal<Output, TapClientError>
    where
        Reader.Input == [UInt8], Reader.InputFailure == TapClientError, Reader.Failure == TapClientError,
        Reader.Output == [Result<Output, TapClientError>]
    {
        Signals.using(
            attempting: { [path] () throws(TapClientError) in try TapSocket.open(path, sending: call) },
            release: { close($0) },
            { [path] socket in
                Signals.bytes(from: FileDescriptor(rawValue: socket), on: scheduler)
                    .mapError { _ in TapClientError.disconnected(path: path) }
                    .transduced(by: reader)
                    .flatMap(.concat, limit: 1) { Signals.from($0).promoteFailure(to: TapClientError.self) }
                    .attemptMap { (reply: Result<Output, TapClientError>) throws(TapClientError) in try reply.get() }
            }
        )
    }

    static func message(_ method: String, _ parameters: [UInt8], wantsMore: Bool) -> [UInt8] {
        var output = OutputBuffer(capacity: 256)
        output.append("{\"method\":")
        output.append(jsonText: method)
        output.append(",\"parameters\":")
        parameters.withUnsafeBytes { output.append($0) }
        output.append(wantsMore ? ",\"more\":true}\0" : "}\0")
        return output.withBytes { Array($0) }
    }
}

/// The client's end of a connection.
enum TapSocket {
    /// Connects and sends a call.
    static func open(_ path: String, sending call: [UInt8]) throws(TapClientError) -> CInt {
        guard !path.utf8.contains(0) else { throw .cannotConnect(path: path, errno: .invalidArgument) }
        let socket = clinux_unix_connect(path, path.utf8.count)
        guard socket >= 0 else { throw .cannotConnect(path: path, errno: Errno(rawValue: -socket)) }
        // A new connection takes more than a call may have. A tap that has refused the client has closed the
        // connection already, and its message is read next.
        let sent = call.withUnsafeBytes { clinux_unix_send(socket, $0.baseAddress, $0.count) }
        guard sent == call.count || sent == -Int(EPIPE) || sent == -Int(ECONNRESET) else {
            _ = close(socket)
            throw sent < 0 ? .cannotConnect(path: path, errno: Errno(rawValue: CInt(-sent))) : .disconnected(path: path)
        }
        return socket
    }
}
