import Bus
import CLinux
import Glibc
import Loop
import Records
import Synchronization
import Timers

/// Takes in clients.
///
/// All of it happens on a thread of the tap's own, which sleeps while nobody connects. Neither posters nor the package's other threads wait for it.
// Unchecked: after `init`, all mutable state is touched only on the scheduler's thread.
final class TapServer: @unchecked Sendable {
    let bus: NotificationBus
    let options: TapOptions
    let scheduler = ThreadScheduler(name: "bus-tap")
    let timers: TimerScheduler
    let loop: EventLoop
    let meter = ProcessorMeter()
    let log: TapLog
    let counts = TapCounts()
    /// When it was made, in nanoseconds of `CLOCK_MONOTONIC`.
    let opened = MonotonicTime.nanoseconds
    private let descriptor: CInt
    private var watch: EventLoop.Watch?
    private var connections: [ObjectIdentifier: TapConnection] = [:]
    private var connectionsOfUser: [uid_t: Int] = [:]
    private var isStopped = false
    /// Set while the tap ends as soon as its clients have what they watched.
    private var ending: Ending?

    private struct Ending {
        let done: @Sendable () -> Void
        let deadline: TimerHandle
        /// Whether clients that do not read are waited for no longer.
        var isOverdue = false
    }

    init(_ bus: NotificationBus, _ descriptor: CInt, _ options: TapOptions) throws(TapError) {
        self.bus = bus
        self.options = options
        self.descriptor = descriptor
        log = TapLog(options.log)
        loop = EventLoop(on: scheduler)
        do {
            timers = try TimerScheduler(on: scheduler)
            // Watched from the start, so that a lack of descriptors is found now.
            try loop.perform {}
        } catch {
            throw TapError.cannotStart("\(error)")
        }
    }

    func start() { scheduler.schedule { self.listen() } }

    private func listen() {
        guard !isStopped, ending == nil, watch == nil else { return }
        do {
            watch = try loop.watch(descriptor) { [self] _ in accept() }
        } catch {
            log("cannot wait for clients: \(error)")
            listenLater()
        }
    }

    private func listenLater() {
        timers.schedule(after: .milliseconds(200)) { [weak self] in self?.listen() }
    }

    private func accept() {
        // The rest is reported again, after the thread's other work.
        for _ in 0..<16 {
            let client = clinux_unix_accept(descriptor)
            if client >= 0 {
                admit(client)
            } else if client == -EAGAIN {
                return
            } else {
                // Without a descriptor left, the client would be reported again and again.
                log("cannot take in a client: \(SystemError.numbered(-client))")
                watch?.dispose()
                watch = nil
                return listenLater()
            }
        }
    }

    private func admit(_ client: CInt) {
        guard let peer = TapPeer(of: client) else {
            return refuse(client, .permissionDenied, "a client without credentials")
        }
        guard options.admits(peer) else { return refuse(client, .permissionDenied, "\(peer), who is not allowed") }
        let ofUser = connectionsOfUser[peer.user, default: 0]
        guard connections.count < options.connections, ofUser < options.connectionsPerUser else {
            let limit = ofUser < options.connectionsPerUser ? options.connections : options.connectionsPerUser
            return refuse(
                client,
                .tooManyConnections(limit: limit),
                "\(peer), because there are \(limit) connections already"
            )
        }
        let connection = TapConnection(self, client, peer)
        connections[ObjectIdentifier(connection)] = connection
        connectionsOfUser[peer.user] = ofUser + 1
        counts.clients.store(connections.count, ordering: .relaxed)
        connection.start()
    }

    private func refuse(_ client: CInt, _ error: VarlinkError, _ who: String) {
        log("refused \(who)")
        var output = OutputBuffer(capacity: 256)
        VarlinkReply.append(error, to: &output)
        // A new connection takes it.
        _ = output.withBytes { clinux_unix_send(client, $0.baseAddress, $0.count) }
        _ = Glibc.close(client)
    }

    /// The connections on which a watch runs, in the order of their processes.
    var watching: [TapConnection] {
        connections.values.filter { $0.watch != nil }.sorted { $0.peer.process < $1.peer.process }
    }

    /// The connection has closed.
    func remove(_ connection: TapConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        counts.clients.store(connections.count, ordering: .relaxed)
        let user = connection.peer.user
        let left = connectionsOfUser[user, default: 1] - 1
        connectionsOfUser[user] = left > 0 ? left : nil
        stopIfSent()
    }

    // MARK: The end

    /// Stops when the clients have what they watched, and what they have not after `patience` is dropped.
    func end(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        watch?.dispose()
        watch = nil
        let deadline = timers.schedule(after: patience) { [weak self] in
            self?.ending?.isOverdue = true
            self?.stopIfSent()
        }
        ending = Ending(done: done, deadline: deadline)
        stopIfSent()
    }

    /// A watch has ended, or a client's socket has taken all that waited.
    func stopIfSent() {
        guard let ending, connections.values.allSatisfy({ $0.hasSent || ending.isOverdue && $0.watch == nil })
        else { return }
        stop()
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        watch?.dispose()
        watch = nil
        let ending = self.ending.take()
        ending?.deadline.cancel()
        for connection in connections.values { connection.stop() }
        _ = Glibc.close(descriptor)
        ending?.done()
    }
}

/// Lines about clients, limited in number.
// Unchecked: touched only on the tap's thread.
final class TapLog: @unchecked Sendable {
    private let write: (@Sendable (String) -> Void)?
    private var second: Int64 = 0
    private var count = 0
    private var omitted = 0

    init(_ write: (@Sendable (String) -> Void)?) {
        self.write = write
    }

    func callAsFunction(_ line: @autoclosure () -> String) {
        guard let write else { return }
        let now = MonotonicTime.nanoseconds / 1_000_000_000
        if now != second {
            second = now
            count = 0
        }
        count += 1
        guard count <= 10 else {
            omitted += 1
            return
        }
        if omitted > 0 {
            write("tap: \(omitted) lines were left out")
            omitted = 0
        }
        write("tap: \(line())")
    }
}
