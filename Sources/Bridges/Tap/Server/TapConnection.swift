import Bus
import CLinux
import Glibc
import Loop
import Records
import Timers

/// One client: its calls come in and are answered one after the other.
///
/// A client's data is read only as far as it is handled. While a watch runs, or while replies wait to be read, the
/// rest stays in the kernel, which makes the client wait.
// Unchecked: touched only on the tap's thread.
final class TapConnection: @unchecked Sendable {
    let server: TapServer
    let peer: TapPeer
    let budget: ProcessorBudget
    private let descriptor: CInt
    private var interest: EventLoop.Watch?
    private var input = MessageBuffer(limit: TapOptions.maxMessageSize)
    // Used by one thread; the code that writes to it does not know of it.
    @exclusivity(unchecked) private var output = SendQueue()
    private(set) var watch: TapWatch?
    private var deadline: TimerHandle?
    @exclusivity(unchecked) private var isClosed = false
    /// The client sends nothing any more.
    private var hasEnded = false
    /// The client is not there any more.
    private var isGone = false
    /// No further call is answered; the waiting data is sent, and then the connection closes.
    private var isClosing = false
    @exclusivity(unchecked) private var flushes = false
    /// The client has used more processor time than it may. Its calls wait.
    private var isResting = false
    /// The client's socket took no more. It is ready for writing when it does again.
    @exclusivity(unchecked) private var isBlocked = false

    init(_ server: TapServer, _ descriptor: CInt, _ peer: TapPeer) {
        self.server = server
        self.descriptor = descriptor
        self.peer = peer
        budget = ProcessorBudget(share: server.options.processorShare)
    }

    func start() {
        do {
            interest = try server.loop.watch(descriptor, for: [.readable, .writable, .edge]) { [self] events in
                ready(events)
            }
        } catch {
            server.log("cannot serve \(peer): \(error)")
            return close()
        }
        waitForMessage()
    }

    // MARK: Input

    private func ready(_ events: ReadyEvents) {
        guard !isClosed else { return }
        if events.contains(.writable) {
            isBlocked = false
            flush()
        }
        if events.contains(.readable) || events.contains(.hangup) { proceed() }
        if events.contains(.hangup), !isClosed, clinux_unix_is_gone(descriptor) == 1 {
            lose()
            proceed()
        }
    }

    /// The client is gone. Calls that it sent before are handled, in slices, but for a watch.
    private func lose() {
        if watch != nil || isClosing { return close() }
        isGone = true
        output = SendQueue()
    }

    /// Deals with the calls that have come, as far as there is capacity for replies and processor time left.
    private func proceed() {
        if isResting || isClosed { return }
        if budget.isExhausted { return rest() }
        server.meter.enter(budget)
        defer { server.meter.leave() }
        let end = ClockReading.of(CLOCK_THREAD_CPUTIME_ID) + Self.slice
        repeat {
            if isClosed || isClosing || watch != nil || output.count > Self.repliesLimit { return }
            if let message = input.next() {
                waitForMessage()
                TapCalls.answer(Array(message), on: self)
            } else if input.isTooLong {
                server.log("cut off \(peer): a message has more than \(input.limit) bytes")
                refuse(.messageTooLong(limit: input.limit))
            } else if !receive() {
                return
            }
        } while ClockReading.of(CLOCK_THREAD_CPUTIME_ID) < end
        // The other clients are served.
        resume()
    }

    /// Nanoseconds of processor time after which the other clients are looked at. One call may take longer.
    private static let slice: Int64 = 1_000_000

    private func rest() {
        isResting = true
        server.timers.schedule(after: budget.recovery) { [weak self] in
            self?.isResting = false
            self?.proceed()
        }
    }

    /// How many bytes of replies may wait before no further call is looked at.
    private static let repliesLimit = 64 << 10

    /// Returns whether something has come.
    private func receive() -> Bool {
        if hasEnded {
            closeIfDone()
            return false
        }
        let count = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            let count = clinux_unix_receive(descriptor, buffer.baseAddress, min(buffer.count, input.freeCapacity))
            if count > 0 { input.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])) }
            return count
        }
        if count > 0 { return true }
        if count == -Int(EAGAIN) { return false }
        // An error means that it is gone.
        if count < 0 { lose() }
        hasEnded = true
        closeIfDone()
        return false
    }

    // MARK: Output

    /// Bytes that wait for the client.
    var waiting: Int { output.count }

    /// Whether nothing will be sent but answers, and nothing waits.
    var hasSent: Bool { watch == nil && output.count == 0 }

    /// Adds to the waiting data. It is sent soon, together with everything added until then.
    func send(_ write: (inout OutputBuffer) -> Void) {
        guard !isClosed, !isGone else { return }
        output.append(write)
        if output.count >= 64 << 10 { flush() } else { flushSoon() }
    }

    func flushSoon() {
        guard !flushes, !isClosed else { return }
        flushes = true
        server.scheduler.schedule { self.flushNow() }
    }

    private func flushNow() {
        flushes = false
        guard !isClosed else { return }
        watch?.batchEnds()
        flush()
        server.meter.leave()
    }

    private func flush() {
        guard !isClosed, !isBlocked, output.count > 0 else { return }
        do throws(SendQueue.SendError) {
            let before = output.count
            let isAll = try output.flush(to: descriptor)
            isBlocked = !isAll
            if output.count < before { watch?.outputDrained() }
            if isAll {
                closeIfDone()
                server.stopIfSent()
            }
            // Calls that waited for capacity.
            if before > Self.repliesLimit, output.count <= Self.repliesLimit, watch == nil { resume() }
        } catch {
            lose()
            resume()
        }
    }

    /// Sends an error, and nothing after it.
    func refuse(_ error: VarlinkError) {
        if isGone { return close() }
        isClosing = true
        input.removeAll()
        send { VarlinkReply.append(error, to: &$0) }
    }

    // MARK: Watches

    func begin(_ watch: TapWatch) {
        if isGone { return close() }
        deadline?.cancel()
        self.watch = watch
        watch.start()
    }

    /// The watch has ended and reported that.
    func watchEnded() {
        watch = nil
        waitForMessage()
        closeIfDone()
        server.stopIfSent()
        resume()
    }

    private func resume() {
        server.scheduler.schedule { self.proceed() }
    }

    // MARK: The end

    /// Waits for the next message, but not for ever.
    private func waitForMessage() {
        deadline?.cancel()
        guard !isClosed else { return }
        deadline = server.timers.schedule(after: server.options.messageTimeout) { [weak self] in
            guard let self, watch == nil else { return }
            server.log("cut off \(peer): no message for \(server.options.messageTimeout)")
            close()
        }
    }

    private func closeIfDone() {
        guard !isClosed, output.count == 0, watch == nil, isClosing || (hasEnded && input.isEmptyOfMessages) else {
            return
        }
        close()
    }

    /// The tap ends.
    func stop() {
        watch?.end("closed")
        flush()
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        deadline?.cancel()
        watch?.abandon()
        watch = nil
        interest?.dispose()
        _ = Glibc.close(descriptor)
        input.removeAll()
        output = SendQueue()
        server.remove(self)
    }
}
