import Bus
import CLinux
import Glibc
import Loop
import Synchronization
import SystemPackage

/// The one place where this process takes signals: one descriptor, read on the event loop's thread, for all subscriptions.
///
/// A signal is taken (its disposition replaced, the descriptor reading it) while somebody listens to it, and given
/// back with the last listener. Descriptor and handlers are changed under the lock; calls that may wait, or let a
/// signal through, are made without it.
final class OSSignalHub: Sendable {
    typealias Emission = OSSignalRoutes.Emission

    static let shared = OSSignalHub()

    private struct State {
        var routes = OSSignalRoutes()
        /// Subscriptions and others that hold a signal, including those that are about to.
        var holders = [Int](repeating: 0, count: 65)
        /// The signals that have holders.
        var held: SignalBits = []
        var descriptor: CInt?
        var watch: EventLoop.Watch?
        /// Not used any more, and about to be closed.
        var closing: CInt?
        /// Grows when a descriptor is opened or closed.
        var generation = 0
        /// Blocked by `OSSignalSet.block()` and not before it.
        var blocked: SignalBits = []
        /// Given back by the last holder; since then nobody held it, nor was it blocked anew.
        var givenBack: SignalBits = []
        /// The signals that the loop's thread does not block, so that their default actions apply.
        var letThrough: SignalBits = []
        var isSettling = false
    }

    private let state = Lock(State())
    private let readingThread = Atomic<pid_t>(0)

    private init() {}

    /// The descriptor that is read.
    var descriptor: CInt? { state.withLock { $0.descriptor } }

    /// Distinguishes this package's descriptors from others: they are these as long as `generation` is the same.
    struct OwnDescriptors: Equatable {
        let descriptor: CInt?
        let closing: CInt?
        let generation: Int
    }

    var ownDescriptors: OwnDescriptors {
        state.withLock { OwnDescriptors(descriptor: $0.descriptor, closing: $0.closing, generation: $0.generation) }
    }

    /// The thread that reads it; 0 before the first subscription.
    var thread: pid_t { readingThread.load(ordering: .acquiring) }

    /// Notes that `OSSignalSet.block()` blocked some signals, which from now on wait until somebody listens.
    ///
    /// - Parameter before: the signals that were blocked before; they stay blocked when nobody listens any more.
    func blocked(_ bits: SignalBits, before: SignalBits) {
        let mustSettle = state.withLock { state -> Bool in
            state.blocked.formUnion(bits.subtracting(before))
            state.givenBack.subtract(bits)
            return !state.letThrough.isDisjoint(with: bits)
        }
        if mustSettle { settleSoon() }
    }

    /// Sends the signals to `emitter` until the returned handle is disposed of.
    func listen(to bits: SignalBits, _ emitter: Emission) throws(OSSignalError) -> any Disposable {
        let first = hold(bits)
        do throws(OSSignalError) {
            try refuseOtherReaders(of: first)
            let thread = try prepareReadingThread(for: bits)
            let id = try state.withLock { state throws(OSSignalError) -> UInt64 in
                try Self.take(bits, thread)
                try Self.open(&state, adding: bits)
                return state.routes.add(emitter, to: bits)
            }
            return ActionDisposable { self.end(id, bits) }
        } catch {
            release(bits, wereHeard: false)
            throw error
        }
    }

    /// Runs `body` while signals without a listener wait in the reading thread, so that the calling thread need not
    /// block them.
    ///
    /// - Parameter body: gets the signals for which that was not possible.
    func keepingBack<Result, Failure: Error>(
        _ body: (SignalBits) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bits = state.withLock { $0.blocked.subtracting($0.givenBack) }
        guard !bits.isEmpty else { return try body([]) }
        _ = hold(bits)
        defer { release(bits, wereHeard: false) }
        do throws(OSSignalError) {
            let thread = try prepareReadingThread(for: bits)
            try state.withLock { _ throws(OSSignalError) in try Self.take(bits, thread) }
        } catch {
            return try body(bits)
        }
        return try body([])
    }

    // MARK: Holding

    /// - Returns: the signals that nobody held before.
    private func hold(_ bits: SignalBits) -> SignalBits {
        state.withLock { state in
            for number in bits.numbers { state.holders[Int(number)] += 1 }
            defer { state.held.formUnion(bits) }
            return bits.subtracting(state.held)
        }
    }

    /// - Parameter wereHeard: whether somebody listened to them, so that their actions apply again with the last
    ///   holder.
    private func release(_ bits: SignalBits, wereHeard: Bool) {
        state.withLock { state in
            for number in bits.numbers {
                state.holders[Int(number)] -= 1
                guard state.holders[Int(number)] == 0 else { continue }
                state.held.remove(SignalBits(CollectionOfOne(number)))
                clinux_signal_give_back(number)
            }
            if wereHeard { state.givenBack.formUnion(bits) }
        }
        settleSoon()
    }

    private func refuseOtherReaders(of bits: SignalBits) throws(OSSignalError) {
        guard !bits.isEmpty else { return }
        let readers: [OSSignalReadiness.Reader]
        do throws(OSSignalError) {
            readers = try SignalReaders.others(of: bits)
        } catch {
            // Without a spare descriptor, other readers cannot be looked for. The subscription may work all the same;
            // if it needs the missing descriptor, the next step reports that.
            return
        }
        guard let reader = readers.first, let number = reader.numbers.min() else { return }
        throw .taken(number: number, descriptor: reader.descriptor)
    }

    // MARK: Taking and giving back; the caller has the lock

    private static func open(_ state: inout State, adding bits: SignalBits) throws(OSSignalError) {
        var set = state.routes.bits.union(bits).systemSet
        let descriptor = signalfd(state.descriptor ?? -1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw .system(operation: "open a signal descriptor", errno: Errno(rawValue: errno))
        }
        guard state.watch == nil else { return }
        do throws(EventLoopError) {
            let batch = SignalBatch()
            state.watch = try EventLoop.shared.watch(paced: descriptor) { shared.read(descriptor, batch) }
            state.descriptor = descriptor
            state.generation += 1
            // Signals that wait in the loop's thread are not seen from this one; setting the mask again has the loop
            // look.
            _ = signalfd(descriptor, &set, 0)
        } catch {
            close(descriptor)
            throw .system(operation: "watch a signal descriptor", errno: Errno(rawValue: error.code))
        }
    }

    /// If this fails, ``release(_:wereHeard:)`` gives back the signals that were taken.
    private static func take(_ bits: SignalBits, _ thread: pid_t) throws(OSSignalError) {
        for number in bits.numbers {
            let result = clinux_signal_take(number, thread)
            guard result == 0 else {
                throw .system(operation: "handle \(OSSignal.name(of: number))", errno: Errno(rawValue: -result))
            }
        }
    }

    private func end(_ id: UInt64, _ bits: SignalBits) {
        let removed = state.withLock { state -> OSSignalRoutes.Emission? in
            let (removed, left) = state.routes.remove(id, from: bits)
            guard let descriptor = state.descriptor, !left.isEmpty else { return removed }
            // Before they are given back: signals that come now are not swallowed.
            var set = state.routes.bits.systemSet
            _ = signalfd(descriptor, &set, 0)
            return removed
        }
        // Released here, not under the lock: the chain below it may be released with it.
        withExtendedLifetime(removed) {}
        release(bits, wereHeard: true)
    }

    // MARK: The reading thread

    /// Blocks on that thread the signals that will be taken, because it may have let them through since they were
    /// given back.
    private func prepareReadingThread(for bits: SignalBits) throws(OSSignalError) -> pid_t {
        let known = readingThread.load(ordering: .acquiring)
        let isReady = state.withLock { $0.letThrough.isDisjoint(with: bits) }
        if known != 0, isReady { return known }
        if EventLoop.shared.isCurrent {
            settle()
        } else {
            let settled = Latch()
            try performOnLoop {
                self.readingThread.store(clinux_thread_id(), ordering: .releasing)
                self.settle()
                settled.open()
            }
            // The loop runs nothing that takes long, so this waits for a moment at most.
            settled.wait()
        }
        return readingThread.load(ordering: .acquiring)
    }

    private func performOnLoop(_ work: @escaping @Sendable () -> Void) throws(OSSignalError) {
        do throws(EventLoopError) {
            try EventLoop.shared.perform(work)
        } catch {
            throw .system(operation: error.operation, errno: Errno(rawValue: error.code))
        }
    }

    private func settleSoon() {
        let isFirst = state.withLock { state -> Bool in
            defer { state.isSettling = true }
            return !state.isSettling
        }
        guard isFirst else { return }
        do throws(OSSignalError) {
            try performOnLoop { self.settle() }
        } catch {
            // No loop, so nothing was taken or blocked in its thread, and there is nothing to settle.
            state.withLock { $0.isSettling = false }
        }
    }

    /// Adapts the loop's thread to the listeners. A signal without a listener is let through if `block()` had kept it
    /// back, or if it was handed to this thread and not read. Without any listener the descriptor is closed.
    private func settle() {
        let (open, shut, free) = state.withLock { state -> (SignalBits, SignalBits, SignalBits) in
            state.isSettling = false
            let free = state.givenBack.subtracting(state.held)
            let before = state.letThrough
            state.letThrough = free.intersection(state.blocked)
            return (state.letThrough.subtracting(before), before.subtracting(state.letThrough), free)
        }
        shut.apply(SIG_BLOCK)
        open.apply(SIG_UNBLOCK)
        letUnreadThrough(free)
        closeDescriptorIfUnused()
    }

    /// The actions apply for signals that were handed to this thread and not read before their last listener went.
    private func letUnreadThrough(_ bits: SignalBits) {
        var waiting = sigset_t()
        sigpending(&waiting)
        // The same call also returns signals sent to the process, which are not this thread's to take; /proc
        // distinguishes them.
        guard !bits.isDisjoint(with: SignalBits(waiting)), let own = ThreadMask(clinux_thread_id()) else { return }
        let unread = bits.intersection(own.pending).intersection(own.blocked)
        unread.apply(SIG_UNBLOCK)
        unread.apply(SIG_BLOCK)
    }

    private func closeDescriptorIfUnused() {
        let (watch, descriptor) = state.withLock { state -> (EventLoop.Watch?, CInt?) in
            guard state.held.isEmpty else { return (nil, nil) }
            state.closing = state.descriptor.take()
            return (state.watch.take(), state.closing)
        }
        watch?.dispose()
        guard let descriptor else { return }
        // On the loop's thread no read can be under way.
        close(descriptor)
        state.withLock { state in
            state.closing = nil
            state.generation += 1
        }
    }

    /// How often a burst is read before timers and other descriptors are served.
    private static let maxReads = 8

    private func read(_ descriptor: CInt, _ batch: SignalBatch) {
        for _ in 0..<Self.maxReads {
            let routes = state.withLock { $0.routes }
            let count = batch.read(descriptor)
            for index in 0..<count { routes.send(batch[index]) }
            for number in routes.bits.numbers {
                let lost = clinux_signal_lost(number)
                if lost > 0 { routes.lost(Int(lost), of: number) }
            }
            if count < SignalBatch.capacity { return }
        }
    }
}
