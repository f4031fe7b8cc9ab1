import Bus
import CLinux
import CSystemd
import Glibc

/// The thread that a link lives on. libsystemd's object is made, used and freed here.
final class DBusThread {
    /// The most answers and messages that are taken before commands are looked at again.
    private static let burst = 64

    private let link: DBusLink
    private var calls = DBusCalls()
    private let listeners: DBusListeners
    private var isLost = false

    init(_ link: DBusLink) {
        self.link = link
        listeners = DBusListeners(isBus: link.address.isBus)
    }

    func run() {
        let reason: DBusError.Reason
        switch DBusOpening(link.address).open() {
        case .success(let bus):
            reason = serve(DBusOutput(bus))
            sd_bus_close_unref(bus)
        case .failure(let failure): reason = failure.reason
        }
        link.end(reason)
        calls.fail(reason)
        listeners.fail(reason)
    }

    private func serve(_ output: DBusOutput) -> DBusError.Reason {
        while true {
            let (commands, isClosing) = link.take()
            for command in commands { perform(command, output) }
            if isClosing {
                output.drain()
                return .disconnected
            }
            let result = receive(output)
            if isLost { return .disconnected }
            guard result >= 0 else { return Self.reason(code: -result) }
            calls.expire()
            if result == 0 {
                let failure = output.wait(or: link.wakeup, until: calls.nextDeadline)
                guard failure == 0 else { return .system(code: failure) }
                link.clearWakeup()
            }
        }
    }

    private func perform(_ command: DBusCommand, _ output: DBusOutput) {
        switch command {
        case .call(let number, let call, let answer): calls.begin(number, call, answer, output)
        case .forget(let number): calls.forget(number)
        case .subscribe(let number, let match, let emitter):
            listeners.add(number, match, emitter, output, &calls)
        case .unsubscribe(let number): listeners.remove(number, output)
        case .emit(let emission, let answer):
            do throws(DBusError) {
                try output.send(emission)
                answer(.success(()))
            } catch {
                answer(.failure(error))
            }
        }
    }

    /// Takes some messages. More than zero when there may be others, zero when there are none, a negated error number.
    private func receive(_ output: DBusOutput) -> CInt {
        for _ in 0..<Self.burst {
            var message: OpaquePointer?
            let result = sd_bus_process(output.bus, &message)
            guard result > 0 else { return result }
            guard let message else { continue }
            defer { sd_bus_message_unref(message) }
            handle(message, output)
            if isLost { return 0 }
        }
        return 1
    }

    private func handle(_ message: OpaquePointer, _ output: DBusOutput) {
        let reading = MessageReading(message: message)
        let header = reading.header()
        switch header.kind {
        case .methodReturn, .error: calls.answer(header, reading)
        case .methodCall: output.refuse(message)
        case .signal:
            if header.interface == DBusNames.local, header.member == "Disconnected" {
                isLost = true
            } else {
                listeners.hear(header, reading)
            }
        }
    }

    private static func reason(code: CInt) -> DBusError.Reason {
        switch code {
        case ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN: .disconnected
        default: .unreachable(code: code)
        }
    }
}
