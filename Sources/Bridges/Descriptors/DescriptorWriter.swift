import Bus
import CLinux
import Glibc
import Loop
import SystemPackage

/// Writes a descriptor in a pump's steps and keeps no thread waiting that others use.
///
/// For most descriptors, each call says that it must not wait. A terminal has no such calls: it is opened anew with
/// `O_NONBLOCK`, which does not affect the open file that the shell shares. A descriptor that cannot be opened anew
/// is written on a thread of its own.
final class DescriptorWriter: Sendable {
    private struct State: Sendable {
        var kind: CInt
        var calls: BlockingCalls<Int>?
    }

    /// How much is given to a call that may block. As much may still be written after the subscription was disposed
    /// of.
    private static let blockingLimit = 4096

    private let descriptor: OwnedDescriptor
    private let state: Lock<State>

    init(_ descriptor: OwnedDescriptor, name: String) throws(DescriptorError) {
        let kind = clinux_descriptor_kind(descriptor.number)
        guard kind >= 0 else { throw DescriptorError("write \(name)", code: -kind) }
        self.descriptor = descriptor
        state = Lock(State(kind: kind))
    }

    /// Writes some of the bytes from `start` on, which are at least one. Called in a step.
    ///
    /// - Returns: how many were written, or the negated error number; `-EAGAIN` when the descriptor must be waited
    ///   for. Nil while another thread writes, which wakes the pump afterwards.
    func write(_ bytes: [UInt8], from start: Int, _ pump: DescriptorPump) -> Int? {
        if let calls = state.withLock({ $0.calls }) { return write(bytes, from: start, pump, calls) }
        let result = writeNow(bytes, from: start)
        guard result == Int(-EOPNOTSUPP) else { return result }
        if pump.reopenNonblocking() { return writeNow(bytes, from: start) }
        do throws(DescriptorError) {
            let calls = try BlockingCalls<Int>(for: descriptor)
            state.withLock { $0.calls = calls }
            return write(bytes, from: start, pump, calls)
        } catch {
            return -Int(error.errno.rawValue)
        }
    }

    /// Ends the thread that writes, if there is one, when it has returned from its call.
    func close() { state.withLock { $0.calls.take() }?.close() }

    private func writeNow(_ bytes: [UInt8], from start: Int) -> Int {
        var kind = state.withLock { $0.kind }
        let result = Self.write(bytes[start...], to: descriptor.number, &kind)
        state.withLock { [kind] in $0.kind = kind }
        return result
    }

    private func write(
        _ bytes: [UInt8],
        from start: Int,
        _ pump: DescriptorPump,
        _ calls: BlockingCalls<Int>
    ) -> Int? {
        let piece = bytes[start...].prefix(Self.blockingLimit)
        let progress = calls.advance(ifReadyFor: .writable, pump) { descriptor in
            var kind = CInt(CLINUX_FILE.rawValue)
            return Self.write(piece, to: descriptor, &kind)
        }
        return switch progress {
        case .over(let result): result
        case .underWay: nil
        case .notReady: Int(-EAGAIN)
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt, _ kind: inout CInt) -> Int {
        bytes.withUnsafeBytes { clinux_write_now(descriptor, &kind, $0.baseAddress, $0.count) }
    }
}
