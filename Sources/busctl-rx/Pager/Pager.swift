import Bus
import DescriptorBridge
import Glibc
import ProcessBridge
import SystemPackage

/// The pager of a run. It is started when there is something to show. From then on standard output leads to it, and standard
/// error as long as it runs.
final class Pager: Sendable {
    private struct Running {
        let child: PagerChild
        let terminal: PagedTerminal
    }

    private let choice: PagerChoice
    private let onEnd: @Sendable () -> Void
    private let running = Lock<Running?>(nil)
    private let interruption = Lock<ExitStatus?>(nil)
    /// Whether it was tried to start one. Held while that is done.
    private let isTried = Lock(false)

    /// - Parameter onEnd: called when it has ended by itself, on a thread that must not be blocked.
    init(_ choice: PagerChoice, onEnd: @escaping @Sendable () -> Void) {
        self.choice = choice
        self.onEnd = onEnd
    }

    /// Starts it, unless it was started already. If none can be started, output goes to the terminal as before.
    /// Called by threads that may be blocked.
    func open() {
        isTried.withLock { isTried in
            if !isTried, interrupted == nil { start() }
            isTried = true
        }
    }

    private func start() {
        StatusLine.close()
        if let warning = choice.warning { StandardError.report(warning) }
        do throws(DescriptorError) {
            let pipe = try OwnedDescriptor.pipe(for: "the pager")
            defer {
                pipe.reading.close()
                pipe.writing.close()
            }
            let terminal = try PagedTerminal()
            let input = FileDescriptor(rawValue: pipe.reading.number)
            for command in choice.commands {
                guard let child = child(command, input, terminal) else { continue }
                running.withLock { $0 = Running(child: child, terminal: terminal) }
                terminal.replace(by: pipe.writing.number)
                // A signal that came meanwhile has not reached it.
                if interrupted != nil { child.interrupt() }
                return
            }
        } catch {
            StandardError.report("no pager is started: \(error)")
        }
    }

    private func child(_ command: [String], _ input: FileDescriptor, _ terminal: PagedTerminal) -> PagerChild? {
        do throws(ProcessError) {
            return try PagerChild(command, choice.variables, reading: input) { [onEnd] in
                terminal.restoreErrors()
                onEnd()
            }
        } catch {
            // It is no problem if one of the usual pagers is not installed.
            if error.errno != .noSuchFileOrDirectory || command == choice.wanted { StandardError.report("\(error)") }
            return nil
        }
    }

    /// Whether only the pager handles a signal: at ^C `less` goes back to its prompt, if it was told to.
    func takes(_ signal: CInt) -> Bool {
        guard signal == SIGINT, choice.lessTakesInterrupts else { return false }
        return running.withLock { $0?.child }.map { $0.isLess && $0.isRunning } ?? false
    }

    /// Tells it to end, because a signal ends the run in that way. Does not block.
    func interrupt(_ status: ExitStatus) {
        interruption.withLock { $0 = $0 ?? status }
        running.withLock { $0?.child }?.interrupt()
    }

    /// The exit status of a run where a signal has ended the pager; `nil` where none has.
    var interrupted: ExitStatus? { interruption.withLock { $0 } }

    /// Hands it the end of the output, and returns when its user has left it. Blocks the thread. Returns a message
    /// for a person if it has failed.
    func close() -> String? {
        // Another thread may be starting it because of a signal. From here on none is started.
        isTried.withLock { $0 = true }
        guard let (child, terminal) = running.withLock({ $0.map { ($0.child, $0.terminal) } }) else { return nil }
        terminal.restore()
        child.wait()
        if child.wasCutShort { terminal.restoreSettings() }
        guard child.hasFailed else { return nil }
        return "the pager \(child.name) failed: \(child.reason). Name another one in SYSTEMD_PAGER, or give --no-pager."
    }
}
