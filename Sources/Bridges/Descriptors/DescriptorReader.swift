package import Bus
import CLinux
import Glibc
import Loop
import Synchronization

/// Reads a descriptor into an emitter, a piece at a time, as its observer takes them. While that pauses, nothing is read.
package final class DescriptorReader: Disposable {
    private let pump: DescriptorPump
    private let progress: Progress
    private let source: DescriptorSource

    /// The state that the steps share; they run one at a time.
    private final class Progress: @unchecked Sendable {
        // Touched only in a step, hence no lock.
        var capacity: Int
        let maxCapacity: Int
        /// Once the end was asked for: how much is still read.
        var left: Int?
        let isFinishing = Atomic<Bool>(false)

        init(maxCapacity: Int) {
            self.maxCapacity = maxCapacity
            capacity = min(DescriptorSource.minCapacity, maxCapacity)
        }

        /// The next piece is as large as the last ones suggest, so that small ones do not hold large memory.
        func adapt(to count: Int) {
            if count == capacity {
                capacity = min(maxCapacity, capacity * 4)
            } else if count < capacity / 8 {
                capacity = max(min(DescriptorSource.minCapacity, maxCapacity), capacity / 4)
            }
        }
    }

    /// - Parameters:
    ///   - descriptor: is closed when the reader ends.
    ///   - name: the descriptor's name in an error.
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
        let source = try DescriptorSource(descriptor, name: name)
        let progress = Progress(maxCapacity: max(1, chunk))
        self.source = source
        self.progress = progress
        pump = DescriptorPump(
            descriptor,
            for: .readable,
            on: scheduler,
            step: { pump, _ in Self.step(pump, source, name, progress, emitter) },
            failed: { emitter.fail($0) }
        )
        try pump.start()
    }

    package func dispose() {
        pump.dispose()
        source.close()
    }

    package var isDisposed: Bool { pump.isDisposed }

    /// Reads the bytes that wait in the descriptor and then completes, though the other end may be open. While the
    /// observer pauses nothing is read, but the amount is determined at the next step, which runs now.
    package func finish() {
        progress.isFinishing.store(true, ordering: .releasing)
        pump.wake()
    }

    private static func step(
        _ pump: DescriptorPump,
        _ source: DescriptorSource,
        _ name: String,
        _ progress: Progress,
        _ emitter: Emitter<[UInt8], DescriptorError>
    ) -> DescriptorPump.Step {
        if progress.left == nil, progress.isFinishing.load(ordering: .acquiring) {
            progress.left = max(0, Int(clinux_waiting(pump.descriptor.number)))
        }
        let wanted = min(progress.capacity, progress.left ?? .max)
        guard wanted > 0 else {
            emitter.complete()
            return .over
        }
        guard emitter.demand == .more else { return rest(pump, emitter) }
        guard let (piece, result) = source.read(upTo: wanted, pump) else { return .rest }
        if result > 0 {
            progress.left? -= result
            progress.adapt(to: result)
            return emitter.send(piece) == .more ? .again : rest(pump, emitter)
        }
        if result == Int(-EAGAIN), progress.left == nil { return .wait }
        // A terminal reports EIO when its other side is gone.
        if result == 0 || result == Int(-EAGAIN) || (result == Int(-EIO) && isatty(pump.descriptor.number) != 0) {
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
    ) -> DescriptorPump.Step {
        let found = pump.rest { emitter.whenReady($0) }
        if found == .over { emitter.complete() }
        return found
    }
}
