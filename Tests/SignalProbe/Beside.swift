import Bus
import Dispatch
import Glibc
import OSSignalBridge

#if canImport(UnixSignals)
    import UnixSignals
#endif

/// Listens in a process where other code handles signals, too.
enum Beside {
    static func dispatch() throws {
        let active = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
        source.setRegistrationHandler { active.signal() }
        source.setEventHandler { Output.line("Dispatch heard \(SIGUSR1)") }
        source.resume()
        active.wait()

        let refused = listen(SIGUSR1)
        let accepted = listen(SIGUSR2)
        Output.line("\(try OSSignalSet([SIGUSR1, SIGUSR2]).readiness().readers.map(\.numbers))")
        Output.line("listening")
        serve()
        withExtendedLifetime((source, refused, accepted)) {}
    }

    static func lifecycle() throws {
        #if canImport(UnixSignals)
            Task {
                let signals = await UnixSignalsSequence(trapping: .sigterm)
                let refused = listen(SIGTERM)
                let accepted = listen(SIGHUP)
                Output.line("listening")
                for await signal in signals { Output.line("UnixSignals heard \(signal)") }
                withExtendedLifetime((refused, accepted)) {}
            }
            let thread = ThreadScheduler(name: "probe")
            thread.schedule {
                serve()
                fflush(nil)
                _exit(0)
            }
            dispatchMain()
        #else
            Output.line("not built with the trait ServiceLifecycle")
        #endif
    }

    private static func listen(_ number: CInt) -> (any Disposable)? {
        guard let set = try? OSSignalSet([number]) else { return nil }
        return Signals.osSignals(set).subscribe(
            next: { Output.line("heard \($0.number)") },
            failed: { Output.line("failed: \($0)") }
        )
    }

    private static func serve() {
        while readLine() != nil {}
    }
}
