import Bus
import CLinux
import Glibc
import Loop
import SystemPackage

/// Reads a descriptor in a pump's steps, in the way in which ``DescriptorWriter`` writes one.
final class DescriptorSource: @unchecked Sendable {
    typealias Piece = (bytes: [UInt8], result: Int)

    static var minCapacity: Int { 4096 }

    private let descriptor: OwnedDescriptor
    // Touched only in a step, hence no lock.
    private var kind: CInt
    /// Small pieces are read into this and copied. This takes half as long as an array of unknown length, and holds
    /// no more memory than necessary.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: minCapacity, alignment: 16)
    /// Closed by the caller that disposes of the reader.
    private let calls = Lock<BlockingCalls<Piece>?>(nil)

    init(_ descriptor: OwnedDescriptor, name: String) throws(DescriptorError) {
        self.descriptor = descriptor
        kind = clinux_descriptor_kind(descriptor.number)
        guard kind >= 0 else { throw DescriptorError("read \(name)", code: -kind) }
    }

    deinit {
        buffer.deallocate()
    }

    /// The next piece, at most `wanted` bytes, or the negated error number; `-EAGAIN` when the descriptor must be
    /// waited for. Nil while another thread reads, which wakes the pump afterwards. Called in a step.
    func read(upTo wanted: Int, _ pump: DescriptorPump) -> Piece? {
        if let calls = calls.withLock({ $0 }) { return read(upTo: wanted, pump, calls) }
        let piece = readNow(upTo: wanted)
        guard piece.result == Int(-EOPNOTSUPP) else { return piece }
        if pump.reopenNonblocking() { return readNow(upTo: wanted) }
        do throws(DescriptorError) {
            let made = try BlockingCalls<Piece>(for: descriptor)
            calls.withLock { $0 = made }
            return read(upTo: wanted, pump, made)
        } catch {
            return ([], -Int(error.errno.rawValue))
        }
    }

    /// Ends the thread that reads, if there is one, when it has returned from its call.
    func close() { calls.withLock { $0.take() }?.close() }

    private func readNow(upTo wanted: Int) -> Piece {
        guard wanted > buffer.count else {
            let result = clinux_read_now(descriptor.number, &kind, buffer.baseAddress, wanted)
            return ([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<max(0, result)])), result)
        }
        return Self.read(descriptor.number, &kind, upTo: wanted)
    }

    private func read(upTo wanted: Int, _ pump: DescriptorPump, _ calls: BlockingCalls<Piece>) -> Piece? {
        let progress = calls.advance(ifReadyFor: .readable, pump) { descriptor in
            var kind = CInt(CLINUX_FILE.rawValue)
            return Self.read(descriptor, &kind, upTo: wanted)
        }
        return switch progress {
        case .over(let piece): piece
        case .underWay: nil
        case .notReady: ([], Int(-EAGAIN))
        }
    }

    private static func read(_ descriptor: CInt, _ kind: inout CInt, upTo wanted: Int) -> Piece {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
            result = clinux_read_now(descriptor, &kind, bytes.baseAddress, wanted)
            count = max(0, result)
        }
        return (bytes, result)
    }
}
