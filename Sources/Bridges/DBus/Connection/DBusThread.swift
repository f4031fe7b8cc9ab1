import Bus
import CLinux
import CDBus
import Glibc
import SystemPackage

/// The thread that a link lives on. libsystemd's object is made, used and freed here.
final class DBusThread {
    /// The most answers and messages that are taken before commands are looked at again.
    private static let burst = 64
    /// How many messages may wait to be written before senders of signals have to wait.
    private static let maxWaiting = 128

    private let link: DBusLink
    private let types = DBusTypeCache()
    private var calls = DBusCalls()
    private let listeners: DBusListeners
    private let objects: DBusObjects
    private var names = DBusOwnedNames()
    /// Signals that were sent, whose senders wait until the bus takes more.
    private var emitted: [(operation: String, answer: @Sendable (Result<Void, DBusError>) -> Void)] = []
    private var isLost = false

    init(_ link: DBusLink) {
        self.link = link
        listeners = DBusListeners(isBus: link.address.isBus)
        objects = DBusObjects(link)
    }

    func run() {
        switch DBusOpening(address: link.address).open() {
        case .success(let bus):
            let reason = serve(DBusOutput(bus))
            sdbus.close(bus)
            // Messages, and the closures of calls, use libsystemd's object. It has to outlive them.
            end(reason)
            _ = sdbus.unref(bus)
        case .failure(let failure): end(failure.reason)
        }
    }

    /// Fails everything that is in progress.
    private func end(_ reason: DBusError.Reason) {
        link.end(reason)
        objects.end(reason)
        // Before the calls: a rule that fails has no subscriptions left to end then, and no rule to take back.
        listeners.fail(reason)
        calls.fail(reason)
        for (operation, answer) in emitted { answer(.failure(DBusError(reason, operation))) }
        emitted = []
    }

    private func serve(_ output: DBusOutput) -> DBusError.Reason {
        while true {
            if carryOutCommands(output) {
                output.drain()
                answerEmitters(output)
                return .disconnected
            }
            let result = receive(output)
            if isLost { return .disconnected }
            guard result >= 0 else { return Self.reason(code: -result) }
            calls.expire()
            // Before the thread waits: otherwise nothing wakes it for senders whose signals are written.
            answerEmitters(output)
            if result == 0 {
                let failure = output.wait(or: link.wakeup, until: calls.nextDeadline)
                guard failure == 0 else { return .system(errno: Errno(rawValue: failure)) }
                link.clearWakeup()
            }
        }
    }

    /// Carries out the commands, and returns whether to end afterwards.
    ///
    /// A function of its own, so that the commands are released before the thread waits: they may hold the last
    /// reference to the connection, which then would not end before something else woke the thread.
    private func carryOutCommands(_ output: DBusOutput) -> Bool {
        let (commands, isClosing) = link.take()
        for command in commands { perform(command, output) }
        return isClosing
    }

    private func perform(_ command: DBusCommand, _ output: DBusOutput) {
        switch command {
        case .call(let number, let call, let answer): calls.begin(number, call, answer, output)
        case .forget(let number): calls.forget(number)
        case .own(let request): names.request(request, output, &calls)
        case .disown(let number, let name): names.leave(name, number, output, &calls)
        case .subscribe(let number, let match, let emitter):
            listeners.add(number, match, emitter, output, &calls)
        case .unsubscribe(let number): listeners.remove(number, output)
        case .export(let number, let exported, let report): objects.add(number, exported, report)
        case .withdraw(let number): objects.remove(number)
        case .reply(let number, let reply): objects.answer(number, reply, output)
        case .emit(let emission, let answer):
            do throws(DBusError) {
                try output.send(emission)
                emitted.append((emission.operation, answer))
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// Lets senders of signals go on, unless much waits to be written.
    private func answerEmitters(_ output: DBusOutput) {
        guard !emitted.isEmpty, output.waiting <= Self.maxWaiting else { return }
        for (_, answer) in emitted { answer(.success(())) }
        emitted = []
    }

    /// Takes some messages. Returns more than zero when there may be others, zero when there are none, or a negated
    /// error number.
    private func receive(_ output: DBusOutput) -> CInt {
        for _ in 0..<Self.burst {
            var message: OpaquePointer?
            let result = sdbus.process(output.bus, &message)
            guard result > 0 else { return result }
            guard let message else { continue }
            defer { _ = sdbus.message_unref(message) }
            handle(message, output)
            if isLost { return 0 }
        }
        return 1
    }

    private func handle(_ message: OpaquePointer, _ output: DBusOutput) {
        let reading = MessageReading(message: message, types: types)
        let header = reading.header()
        switch header.kind {
        case .methodReturn, .error: calls.answer(header, reading)
        case .methodCall: objects.take(header, reading, output)
        case .signal:
            if header.isDisconnection { isLost = true } else { listeners.hear(header, reading) }
        }
    }

    static func reason(code: CInt) -> DBusError.Reason {
        switch code {
        case ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN: .disconnected
        default: .unreachable(errno: Errno(rawValue: code))
        }
    }
}
