import CLinux
import Glibc

/// A thread for work that must stay on one thread or may block.
///
/// It runs with every signal blocked except those that a fault raises, so that it neither takes signals from their
/// handlers nor gets interrupted. Give its child processes a mask of their own. It is detached and ends when `body`
/// returns.
package enum PinnedThread {
    /// The system could not create a thread.
    package struct StartError: Error, CustomStringConvertible {
        package let name: String
        package let code: CInt

        package var description: String {
            "cannot start the thread \"\(name)\": \(SystemError.numbered(code)); "
                + "see the limits on processes and memory"
        }
    }

    /// - Parameters:
    ///   - name: the name that `ps -L` and debuggers show; the first 15 bytes count.
    ///   - body: runs on the new thread.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(StartError) {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        for fault in [SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS] { sigdelset(&everySignal, fault) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))

        // The mask is inherited at creation, so there is no moment at which the new thread takes signals.
        pthread_sigmask(SIG_BLOCK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let start = Unmanaged.passRetained(StartBlock(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { context in
                guard let context else { return nil }
                // Balances the retain made for this call.
                Unmanaged<StartBlock>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            start.release()
            throw StartError(name: name, code: code)
        }
    }

    /// The same for work that was accepted, whose caller can no longer be told that it cannot run. Limits on threads
    /// are often reached for a moment only. So it tries again for a second, and then ends the process with a message.
    ///
    /// - Parameter pause: waits so many milliseconds.
    package static func startOrEnd(
        name: String,
        pause: (UInt32) -> Void = { usleep($0 * 1000) },
        _ body: @escaping @Sendable () -> Void
    ) {
        for milliseconds: UInt32 in [1, 3, 10, 30, 100, 300, 600] {
            do throws(StartError) {
                return try start(name: name, body)
            } catch {
                pause(milliseconds)
            }
        }
        do throws(StartError) {
            try start(name: name, body)
        } catch {
            fatalError(error.description)
        }
    }

    private final class StartBlock: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            clinux_thread_mark_owned()
            clinux_thread_set_name(name)
            body()
        }
    }
}
