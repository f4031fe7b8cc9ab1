package import Bus
import CLinux
import Glibc
import Synchronization
import Loop

/// Reads a descriptor into an emitter, a piece at a time, as its observer takes them. While that pauses, nothing is read.
package final class DescriptorReader: Disposable {
    private let pump: DescriptorPump
    private let progress: Progress

    /// What the turns share; they are taken one at a time.
    private final class Progress: @unchecked Sendable {
        // Touched in a turn alone, hence no lock.
        var kind: CInt
        var capacity: Int
        /// Small pieces are read into this and copied, which takes half as long as an array of unknown length, and holds no
        /// more memory than they need.
        private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: smallest, alignment: 16)
        private static var smallest: Int { 4096 }
        let largest: Int
        /// Once the end was asked for: how much is still read.
        var left: Int?
        let isFinishing = Atomic<Bool>(false)

        init(kind: CInt, largest: Int) {
            self.kind = kind
            self.largest = largest
            capacity = min(Self.smallest, largest)
        }

        deinit {
            buffer.deallocate()
        }

        /// The next piece, at most `wanted` bytes, and the error's number negated where there is none.
        func read(_ descriptor: CInt, upTo wanted: Int) -> (piece: [UInt8], result: Int) {
            guard wanted > buffer.count else {
                let result = clinux_read_now(descriptor, &kind, buffer.baseAddress, wanted)
                return ([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<max(0, result)])), result)
            }
            var result = 0
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
                result = clinux_read_now(descriptor, &kind, bytes.baseAddress, wanted)
                count = max(0, result)
            }
            return (piece, result)
        }

        /// The next piece is as large as the last ones suggest, so that small ones do not hold large memory.
        func adapt(to count: Int) {
            if count == capacity {
                capacity = min(largest, capacity * 4)
            } else if count < capacity / 8 {
                capacity = max(min(Self.smallest, largest), capacity / 4)
            }
        }
    }

    /// - Parameters:
    ///   - descriptor: is closed when the reader ends.
    ///   - name: what it is called in an error.
    ///   - chunk: how many bytes a piece has at most.
    ///   - scheduler: where it reads and the emitter's observer is called.
    ///   - emitter: is sent the pieces, and the end.
    package init(
        _ descriptor: OwnedDescriptor,
        name: String,
        chunk: Int,
        on scheduler: any Scheduler,
        _ emitter: Emitter<[UInt8], DescriptorError>
    ) throws(DescriptorError) {
        let kind = clinux_descriptor_kind(descriptor.number)
        guard kind >= 0 else { throw DescriptorError("read \(name)", code: -kind) }
        let progress = Progress(kind: kind, largest: max(1, chunk))
        self.progress = progress
        pump = DescriptorPump(
            descriptor,
            for: .readable,
            on: scheduler,
            turn: { pump, _ in Self.turn(pump, descriptor.number, name, progress, emitter) },
            failed: { emitter.fail($0) }
        )
        try pump.start()
    }

    package func dispose() { pump.dispose() }

    package var isDisposed: Bool { pump.isDisposed }

    /// Reads what waits in the descriptor and then completes, though the other end may be open. While the observer pauses
    /// nothing is read, but what waits is determined at the next turn, which is taken now.
    package func finish() {
        progress.isFinishing.store(true, ordering: .releasing)
        pump.wake()
    }

    private static func turn(
        _ pump: DescriptorPump,
        _ descriptor: CInt,
        _ name: String,
        _ progress: Progress,
        _ emitter: Emitter<[UInt8], DescriptorError>
    ) -> DescriptorPump.Turn {
        if progress.left == nil, progress.isFinishing.load(ordering: .acquiring) {
            progress.left = max(0, Int(clinux_waiting(descriptor)))
        }
        let wanted = min(progress.capacity, progress.left ?? .max)
        guard wanted > 0 else {
            emitter.complete()
            return .over
        }
        guard emitter.demand == .more else { return rest(pump, emitter) }
        let (piece, result) = progress.read(descriptor, upTo: wanted)
        if result > 0 {
            progress.left? -= result
            progress.adapt(to: result)
            return emitter.send(piece) == .more ? .again : rest(pump, emitter)
        }
        if result == Int(-EAGAIN), progress.left == nil { return .wait }
        // A terminal says EIO when its other side is gone.
        if result == 0 || result == Int(-EAGAIN) || (result == Int(-EIO) && isatty(descriptor) != 0) {
            emitter.complete()
        } else {
            emitter.fail(DescriptorError("read \(name)", code: CInt(-result)))
        }
        return .over
    }

    /// The observer pauses, or wants no more.
    private static func rest(
        _ pump: DescriptorPump,
        _ emitter: Emitter<[UInt8], DescriptorError>
    ) -> DescriptorPump.Turn {
        let found = pump.rest { emitter.whenReady($0) }
        if found == .over { emitter.complete() }
        return found
    }
}
