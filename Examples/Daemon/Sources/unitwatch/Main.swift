import Bridges
import Bus
import Foundation

@main
enum Main {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { fail("usage: unitwatch CONFIGURATION", status: 2) }
        do {
            // First of all, while no other thread reads the environment.
            let sockets = try SocketActivation.take()
            // Before there are other threads, so that none takes them.
            let signals = try OSSignalSet([SIGHUP, SIGINT, SIGTERM])
            try signals.block()
            let watch = try UnitWatch(
                configuration: CommandLine.arguments[1],
                manager: ServiceManager(removingFromEnvironment: true),
                tapSocket: sockets.first
            )
            // Asked a second time, it ends at once, whatever it waits for.
            let impatience = Signals.terminationRequests().subscribe(
                next: { request in
                    if case .forced(let signal) = request { signal.endProcess() }
                },
                failed: { fail("unitwatch: \($0)", status: 1) }
            )
            defer { impatience.dispose() }
            try await watch.run(until: Signals.osSignals(signals))
        } catch {
            fail("unitwatch: \(error)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}
