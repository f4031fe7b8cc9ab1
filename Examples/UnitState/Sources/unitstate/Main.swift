import Bus
import DBusBridge
import Foundation
import OSSignalBridge
import Timers

@main
enum Main {
    private static let name = "org.example.UnitState1"

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let unit = arguments.first, arguments.count < 3 else {
            fail("usage: unitstate UNIT [ADDRESS]", status: 2)
        }
        let connection = DBusConnection(arguments.count == 2 ? .address(CommandLine.arguments[2]) : .system)
        do {
            // First of all, so that no other thread takes them.
            let signals = try OSSignalSet([SIGINT, SIGTERM])
            try signals.block()
            try await watch(unit, on: connection, until: signals)
        } catch {
            fail("unitstate: \(error)", status: 1)
        }
    }

    private static func watch(_ unit: String, on connection: DBusConnection, until signals: OSSignalSet) async throws {
        let state = MutableProperty("unknown")
        let patience = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(10))
        let proxy = SystemdManager(connection).unit(unit)
        let subscriptions = CompoundDisposable()

        // What systemd says becomes the value of the property, again after each restart.
        proxy.activeState
            .on(failed: { say("asks again: \($0)") })
            .retry(backoff: patience)
            .subscribe(
                next: { value in
                    say("\(unit) is \(value)")
                    state.value = value
                },
                failed: { fail("unitstate: \($0)", status: 1) }
            )
            .store(in: subscriptions)

        // What others see of it.
        let shown = DBusInterface(name)
            .property("State", state, as: "s")
            .method("Restart") { _ in
                try await proxy.restart(timeout: .seconds(60))
                return []
            }
        connection.serve([DBusObject(at: "/org/example/UnitState1", interfaces: [shown])], as: name)
            .retry(backoff: patience)
            .subscribe(next: { say("\($0)") }, failed: { fail("unitstate: \($0)", status: 1) })
            .store(in: subscriptions)

        _ = try await Signals.osSignals(signals).firstValue()
        subscriptions.dispose()
        connection.close()
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}
