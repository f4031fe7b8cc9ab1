import Bus
import Glibc
import Loop
import OSSignalBridge
import Timers

/// Listens twice, stops, and then answers a signal as it did before.
struct Answering: Sendable {
    private let number: CInt
    private let set: OSSignalSet
    private let before: String
    private let setup: Setup

    /// - Parameter words: the signal, its original disposition, and how the process is set up.
    init(_ words: [String]) throws {
        number = CInt(words[0]) ?? 0
        set = try OSSignalSet([number])
        before = words[1]
        setup = Setup(rawValue: words[2]) ?? .blocked
    }

    func run() throws {
        switch before {
        case "ignored": signal(number, SIG_IGN)
        case "handler": signal(number) { _ in _ = write(STDOUT_FILENO, "handler\n", 8) }
        case "inherited": break
        default: signal(number, SIG_DFL)
        }
        try setup.prepare(set)
        setup.perform { serve() }
    }

    private func serve() {
        let listening = Lock<[any Disposable]>([])
        let release = Latch()
        while let command = readLine() {
            switch command {
            case "listen":
                let subscription = Signals.osSignals(set).subscribe(
                    next: { Output.line("heard \($0.number)") },
                    failed: { Output.line("failed: \($0)") }
                )
                listening.withLock { $0.append(subscription) }
            case "drop":
                listening.withLock { $0.popLast() }?.dispose()
                waitForLoop()
            case "hold":
                // Nothing is read while its thread waits.
                let held = Latch()
                try? EventLoop.shared.perform {
                    held.open()
                    release.wait()
                }
                held.wait()
            case "drop unread": listening.withLock { $0.popLast() }?.dispose()
            case "release":
                release.open()
                waitForLoop()
            default: break
            }
            Output.line(command)
        }
    }

    /// Waits until the loop has done its pending work.
    private func waitForLoop() {
        let done = Latch()
        try? EventLoop.shared.perform { done.open() }
        done.wait()
    }
}
