import TestSupport
import Bus
import BusTesting
import Foundation
import Glibc
import ProcessBridge
import SystemPackage
import Testing

@Suite("Child processes whose observer pauses")
struct RunPausingTests {
    typealias Run = PausedListening<ChildEvent, ProcessError>

    private func output(_ heard: Run) -> [String] {
        heard.values.compactMap { event in
            if case .output(let line) = event { return line }
            return nil
        }
    }

    private func pid(_ heard: Run) throws -> pid_t {
        guard case .started(let pid) = heard.values.first else {
            throw NewsBoard.Timeout(description: "it did not start: \(heard.recorder.events)")
        }
        return pid
    }

    @Test("a child that writes much waits for its observer, and everything is heard in order")
    func output() throws {
        let heard = Run(Signals.run(ChildProcess("seq", ["200000"])), after: 1)
        let child = try pid(heard)
        try heard.waitForPause()
        ProcessState.settle()
        // More than a pipe holds, so the child cannot have ended.
        #expect(kill(child, 0) == 0)
        var room = 1
        while !heard.recorder.hasEnded {
            try heard.wait("it to pause or end") { $0.recorder.isAwaited || $0.recorder.hasEnded }
            heard.release(room)
            room *= 2
        }
        let isSame = output(heard) == (1...200_000).map { "\($0)" }
        #expect(isSame)
        #expect(heard.values.last == .ended(.exited(code: 0)))
        #expect(heard.overrun == 0 && heard.recorder.violations == [])
    }

    @Test("its exit is noticed and its status taken while the observer pauses; its output is heard first")
    func exit() throws {
        let heard = Run(Signals.run(ChildProcess("/bin/sh", ["-c", "echo a; echo b; echo c >&2; exit 3"])), after: 2)
        let child = try pid(heard)
        try NewsBoard().waitOrThrow("the child to be gone") { kill(child, 0) == -1 && errno == ESRCH }
        try heard.waitForPause()
        ProcessState.settle()
        #expect(heard.values.count == 2)
        heard.release()
        try heard.waitForEnd()
        #expect(output(heard) == ["a", "b"])
        #expect(heard.values.contains(.errors("c")))
        #expect(heard.values.last == .ended(.exited(code: 3)))
        #expect(heard.overrun == 0)
    }

    @Test("its input waits with its output, and arrives complete")
    func input() throws {
        var child = ChildProcess("cat")
        let pieces = (0..<3000).map { Array(String(repeating: "\($0) ", count: 100).utf8) + [10] }
        child.input = .signal(Signals.from(pieces).eraseToAnySignal())
        let heard = Run(Signals.run(child), after: 1)
        var room = 1
        while !heard.recorder.hasEnded {
            try heard.wait("it to pause or end") { $0.recorder.isAwaited || $0.recorder.hasEnded }
            heard.release(room)
            room *= 2
        }
        let isSame = output(heard) == (0..<3000).map { String(repeating: "\($0) ", count: 100) }
        #expect(isSame)
        #expect(heard.overrun == 0)
    }

    @Test("disposed of while the observer pauses, the child is ended and nothing is kept")
    func disposal() throws {
        weak var canary: Canary?
        let heard: Run
        do {
            let bird = Canary()
            canary = bird
            heard = Run(Signals.run(ChildProcess("yes")).on(next: { _ in bird.sing() }), after: 10)
        }
        let child = try pid(heard)
        try heard.waitForPause()
        heard.dispose()
        try NewsBoard().waitOrThrow("the child to be gone") { kill(child, 0) == -1 && errno == ESRCH }
        try NewsBoard().waitOrThrow("the chain to be freed") { canary == nil }
        #expect(heard.recorder.eventsAfterDisposal == 0)
    }
}
