import Bridges
import Bus
import Dispatch
import Foundation
import Observation
import SystemPackage
import TestSupport
import Testing

private final class Session: Sendable {}

private struct Opened: NotificationCenter.AsyncMessage {
    typealias Subject = Session
}

private struct Drawn: NotificationCenter.MainActorMessage {
    typealias Subject = Session
}

private final class CountedCenter: NotificationCenter, @unchecked Sendable {
    // Set before it is shared.
    var token: Alive.Token?
}

private final class Door: @unchecked Sendable {
    // Used by one thread.
    var onOpen: (@Sendable (Int) -> Void)?
}

@Observable
private final class Meter: @unchecked Sendable {
    // Never changed.
    var level = 0
}

/// Each runs in a separate process, where nobody else opens anything.
@Suite("Registering and dropping repeatedly leaves nothing behind")
struct ResidueTests {
    @Test func notifications() async {
        await #expect(processExitsWith: .success) {
            let (center, session) = (NotificationCenter(), Session())
            let name = Notification.Name("residue")
            await Residue.exitIfLeft {
                center.notifications(named: name, object: session).subscribe().dispose()
                _ = center.notifications(named: name).take(first: 1).subscribe()
                center.post(name: name, object: nil)
                NotificationCenter.default.notifications(named: name).subscribe().dispose()
            }
        }
    }

    @Test func mainActorMessages() async {
        await #expect(processExitsWith: .success) {
            let (center, session) = (NotificationCenter(), Session())
            await Residue.exitIfLeft {
                center.messages(ofType: Drawn.self, from: session) { _ in 1 }.subscribe().dispose()
            }
        }
    }

    // A dropped registration is removed by a task a moment later, which keeps the center until then. If removals were
    // pending during the measurement, thousands on a busy machine, they would look like a leak.
    @Test func asyncMessages() async {
        await #expect(processExitsWith: .success) {
            let session = Session()
            let alive = Alive()
            await Residue.exitIfLeft(settle: { alive.waitForNone() }) {
                let center = CountedCenter()
                center.token = alive.token()
                center.messages(ofType: Opened.self, from: session).subscribe().dispose()
            }
        }
    }

    @Test func callbacks() async {
        await #expect(processExitsWith: .success) {
            let door = Door()
            await Residue.exitIfLeft {
                Signals.calls(of: door, at: \.onOpen).subscribe().dispose()
                Signals.fromCCallback(of: Int.self) {
                    $0.pointer.hashValue
                } unregister: { _ in
                }.subscribe().dispose()
                Signals.fromCompletion(of: Int.self) { _ in nil }.subscribe().dispose()
                Signals.fromDelegate(make: { (_: Emitter<Int, Never>) in Canary() }, attach: { _ in }, detach: { _ in })
                    .subscribe().dispose()
            }
        }
    }

    @Test func observation() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "meter")
            let meter = Meter()
            await Residue.exitIfLeft(settle: { queue.sync {} }) {
                meter.values(of: \.level, on: queue).subscribe().dispose()
                // The death of the object removes everything.
                _ = Meter().values(of: \.level, on: queue).take(first: 1).subscribe()
            }
        }
    }

    @Test func dispatchTimers() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "residue")
            await Residue.exitIfLeft(settle: { queue.sync {} }) {
                Signals.dispatchTimer(deadline: .now() + .seconds(3600), on: queue).subscribe(
                    next: { _ in },
                    failed: { _ in }
                ).dispose()
                Signals.dispatchTimer(deadline: .now(), repeating: .seconds(1), on: queue).subscribe(
                    next: { _ in },
                    failed: { _ in }
                ).dispose()
            }
        }
    }

    @Test func dispatchDescriptors() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "residue")
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { exit(4) }
            let (reader, writer, own) = (ends[0], ends[1], getpid())
            // Cancellations are handled on the queue, after Dispatch's own thread has released the source.
            let settle: @Sendable () -> Void = {
                while !RunLimit.isOver {
                    queue.sync {}
                    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
                    if open < 64 { return }
                    usleep(100)
                }
            }
            let count = Lock(0)
            await Residue.exitIfLeft(settle: settle) {
                Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).subscribe(
                    next: { _ in },
                    failed: { _ in }
                ).dispose()
                Signals.dispatchWritable(FileDescriptor(rawValue: writer), on: queue).subscribe(
                    next: { _ in },
                    failed: { _ in }
                ).dispose()
                Signals.dispatchProcessExit(of: own, on: queue).subscribe(next: { _ in }, failed: { _ in }).dispose()
                let number = count.withLock { count -> Int in
                    count += 1
                    return count
                }
                if number % 50 == 0 { settle() }
            }
        }
    }

    @Test func dispatchWork() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "residue")
            let group = DispatchGroup()
            await Residue.exitIfLeft(settle: { queue.sync {} }) {
                let numbers = DispatchMergeSource(.adding, on: queue)
                numbers.subscribe().dispose()
                numbers.send(1)
                Signals.dispatchWork(on: queue) { 1 }.subscribe().dispose()
                group.enter()
                group.emptied(on: queue).subscribe().dispose()
                group.leave()
            }
        }
    }

    // Processes are slow, so there are fewer rounds.
    @Test func children() async {
        await #expect(processExitsWith: .success) {
            let alive = Alive()
            let settle: @Sendable () -> Void = {
                alive.waitForNone()
                _ = NewsBoard().wait { ChildProcess.ending.isEmpty }
            }
            await Residue.exitIfLeft(Stress.rounds(40, stress: 2000), settle: settle) {
                // A separate scope. Otherwise the wait would include the token that this scope holds.
                do {
                    let token = alive.token()
                    _ = Signals.run(ChildProcess("/bin/true")).subscribe(
                        next: { _ in },
                        failed: { _ in },
                        completed: { token.sing() }
                    )
                }
                Signals.run(ChildProcess("/bin/sleep", ["100"])).subscribe(next: { _ in }, failed: { _ in }).dispose()
                alive.waitForNone()
            }
        }
    }

    @Test func tasks() async {
        await #expect(processExitsWith: .success) {
            let task = Task { 1 }
            let alive = Alive()
            await Residue.exitIfLeft(settle: { alive.waitForNone() }) {
                let token = alive.token()
                task.outcome().subscribe(next: { _ in token.sing() }).dispose()
                _ = task.outcome().subscribe(next: { _ in token.sing() })
            }
        }
    }
}
