import TestSupport
import Bus
import BusTesting
import FileBridge
import Glibc
import Loop
import SystemPackage
import Testing
import Timers

@Suite("Changes in a directory, made by another process")
struct DirectoryChangesTests {
    typealias Changes = Listening<FileChange, FileWatchError>

    private func kinds(_ heard: Changes) -> [String] {
        heard.values.map { change in
            let previous = change.previousName.map { " from \($0)" } ?? ""
            return "\(change.kind) \(change.name)\(previous)\(change.isDirectory ? "/" : "")"
        }
    }

    /// Returns when the last change made by the test was heard.
    private func waitForMark(_ heard: Changes, _ folder: TestFolder) throws {
        try folder.shell("mkdir mark; rmdir mark")
        try heard.wait("the mark") { $0.values.contains { $0.kind == .deleted && $0.name == "mark" } }
    }

    @Test("all possible events of a file, in order")
    func everything() throws {
        let folder = try TestFolder()
        let heard = Changes(Signals.changes(in: folder.path))
        try folder.shell("echo a >a; chmod 600 a; mv a b; rm b; mkdir c; rmdir c")
        try heard.wait { $0.values.last?.name == "c" && $0.values.last?.kind == .deleted }
        let expected = [
            "created a", "modified a", "closedAfterWrite a", "attributes a", "movedFrom a", "movedTo b from a",
            "deleted b",
            "created c/", "deleted c/",
        ]
        #expect(kinds(heard) == expected)
        let moves = heard.values.filter { $0.cookie != 0 }
        #expect(Set(moves.map(\.cookie)).count == 1 && moves.count == 2)
        heard.dispose()
    }

    @Test("a move into another watched directory has the same cookie there")
    func moveAcross() throws {
        let folder = try TestFolder()
        try folder.shell("mkdir one two; echo >one/a")
        let one = Changes(Signals.changes(in: folder.file("one")))
        let two = Changes(Signals.changes(in: folder.file("two")))
        try folder.shell("mv one/a two/b")
        try one.waitForValues(1)
        try two.waitForValues(1)
        #expect(kinds(one) == ["movedFrom a"])
        #expect(kinds(two) == ["movedTo b"])
        #expect(one.values[0].cookie == two.values[0].cookie)
    }

    @Test("a name that is not UTF-8, and two names that only look the same")
    func names() throws {
        let folder = try TestFolder()
        let heard = Changes(Signals.changes(in: folder.path, for: [.created]))
        try folder.shell(#"echo >"$(printf 'a\377b')"; echo >"$(printf '\303\274')"; echo >"$(printf 'u\314\210')""#)
        try heard.waitForValues(3)
        #expect(heard.values.map { $0.name.bytes } == [[0x61, 0xFF, 0x62], [0xC3, 0xBC], [0x75, 0xCC, 0x88]])
        #expect(heard.values[1].name != heard.values[2].name)
        let component = try #require(heard.values[0].name.component)
        #expect(folder.path.appending(component).withPlatformString { access($0, F_OK) } == 0)
    }

    @Test("only the requested changes, even if another subscriber requested more")
    func interest() throws {
        let folder = try TestFolder()
        let all = Changes(Signals.changes(in: folder.path))
        let some = Changes(Signals.changes(in: folder.path, for: [.closedAfterWrite, .movedTo]))
        try folder.shell("echo >a; mv a b; rm b")
        try all.wait { $0.values.last?.kind == .deleted }
        try some.waitForValues(2)
        #expect(kinds(some) == ["closedAfterWrite a", "movedTo b"])
        all.dispose()
        try folder.shell("echo >c")
        try some.waitForValues(3)
        #expect(kinds(some).last == "closedAfterWrite c")
        #expect(all.recorder.eventsAfterDisposal == 0)
    }

    @Test("twenty listeners of one directory hear the same changes")
    func many() throws {
        let folder = try TestFolder()
        let heard = (0..<20).map { _ in Changes(Signals.changes(in: folder.path)) }
        try folder.shell("for i in 1 2 3 4 5; do echo >$i; done; rm *")
        for one in heard {
            try one.wait { $0.values.filter { $0.kind == .deleted }.count == 5 }
            #expect(one.values == heard[0].values)
            #expect(one.recorder.violations == [])
        }
    }

    @Test("a directory that is deleted or moved away is an error that says so, and a new one can be waited for")
    func gone() throws {
        let folder = try TestFolder()
        try folder.shell("mkdir one two")
        let deleted = Changes(Signals.changes(in: folder.file("one")))
        let moved = Changes(Signals.changes(in: folder.file("two")))
        try folder.shell("rmdir one; mv two three")
        try deleted.waitForEnd()
        try moved.waitForEnd()
        #expect(deleted.failure == .gone(folder.file("one"), .deleted))
        #expect(moved.failure == .gone(folder.file("two"), .moved))
        #expect("\(deleted.failure as Any)".contains("deleted"))
        let again = Changes(
            Signals.changes(in: folder.file("one")).retry(backoff: .constant(.milliseconds(5)))
        )
        try folder.shell("mkdir one")
        try NewsBoard().waitOrThrow("the new directory") {
            try? folder.shell("echo >one/a")
            return again.values.contains { $0.name == "a" }
        }
        again.dispose()
    }

    /// A container may forbid it, even to root.
    private static let canMount: Bool = {
        do {
            try TestFolder().shell("mkdir one; mount -t tmpfs none one 2>/dev/null; umount one")
            return true
        } catch {
            return false
        }
    }()

    @Test("an unmounted directory is an error that says so", .enabled(if: canMount, "nothing may be mounted here"))
    func unmounted() throws {
        let folder = try TestFolder()
        try folder.shell("mkdir one; mount -t tmpfs none one")
        let heard = Changes(Signals.changes(in: folder.file("one")))
        try folder.shell("umount one")
        try heard.waitForEnd()
        #expect(heard.failure == .gone(folder.file("one"), .unmounted))
    }

    @Test("a missing path, or one that is no directory, is refused by name")
    func refused() throws {
        let missing = Changes(Signals.changes(in: "/nowhere/at/all"))
        let file = Changes(Signals.changes(in: "/etc/passwd"))
        for heard in [missing, file] { try heard.waitForEnd() }
        #expect(missing.failure == .system(operation: "watch /nowhere/at/all", errno: .noSuchFileOrDirectory))
        #expect(file.failure == .system(operation: "watch /etc/passwd", errno: .notDirectory))
    }

    @Test("a slow observer loses changes, which are counted; those it hears are in order")
    func slow() throws {
        let folder = try TestFolder()
        let (entered, mayReturn) = (Latch(), Latch())
        let heard = Changes(Signals.changes(in: folder.path, for: [.created], on: ThreadScheduler(name: "slow"))) { _ in
            entered.open()
            mayReturn.wait()
            return .more
        }
        let total = 20_000
        // Few enough at a time to never fill the kernel's own queue.
        let touch = "i=0; while [ $i -lt 5000 ]; do : >\"$1$i\"; i=$((i+1)); done"
        for round in 0..<4 {
            try folder.shell("set -- r\(round)-; \(touch)")
            entered.wait()
            ProcessState.settle()
        }
        mayReturn.open()
        try heard.wait("everything to be heard or lost") { $0.valueCount + $0.lost >= total }
        #expect(heard.values.count + heard.lost == total)
        #expect(heard.lost > 0 && heard.values.count > 16_384)
        // They are the changes that were made, in order, with gaps.
        let made = (0..<4).flatMap { round in (0..<5000).map { FileName("r\(round)-\($0)") } }
        var next = 0
        let isInOrder = heard.values.allSatisfy { change in
            while next < made.count, made[next] != change.name { next += 1 }
            next += 1
            return next <= made.count
        }
        #expect(isInOrder)
        #expect(!heard.values.contains { $0.kind == .overflow })
    }

    @Test("an observer that pauses hears everything afterwards, in order, and delays nobody else")
    func pausing() throws {
        let folder = try TestFolder()
        let paused = PausedListening(Signals.changes(in: folder.path, for: [.created, .movedFrom, .movedTo]), after: 1)
        let other = Changes(Signals.changes(in: folder.path, for: [.created, .movedFrom, .movedTo]))
        // These are read together, because they arrive while the event loop is busy. So the pause is in the middle of a
        // batch.
        let (holding, mayGo) = (Latch(), Latch())
        try EventLoop.shared.perform {
            holding.open()
            mayGo.wait()
        }
        holding.wait()
        try folder.shell("for i in 1 2 3 4 5; do : >$i; done; mv 1 6")
        mayGo.open()
        try other.waitForValues(7)
        try folder.shell("for i in 7 8 9; do : >$i; done")
        try other.waitForValues(10)
        ProcessState.settle()
        #expect(paused.values == Array(other.values.prefix(1)))
        paused.release(1)
        try paused.waitForValues(2)
        paused.release()
        try paused.waitForValues(10)
        #expect(paused.values == other.values)
        #expect(paused.values[6].previousName == "1")
        #expect(paused.overrun == 0 && paused.lost == 0 && paused.recorder.violations == [])
    }

    @Test("when disposed of while the observer pauses, everything is freed")
    func disposalWhilePausing() throws {
        let folder = try TestFolder()
        weak var canary: Canary?
        let paused: PausedListening<FileChange, FileWatchError>
        do {
            let bird = Canary()
            canary = bird
            paused = PausedListening(Signals.changes(in: folder.path).on(next: { _ in bird.sing() }), after: 1)
        }
        let other = Changes(Signals.changes(in: folder.path))
        try folder.shell("echo >a; rm a")
        try other.wait("the deletion") { $0.values.last?.kind == .deleted }
        try paused.waitForValues(1)
        paused.dispose()
        ProcessState.settle()
        #expect(canary == nil)
        paused.release()
        #expect(paused.values.count == 1 && paused.recorder.eventsAfterDisposal == 0)
    }

    @Test("disposed of inside its callback, nothing follows, even if more was read with it")
    func disposal() throws {
        let folder = try TestFolder()
        let subscription = SerialDisposable()
        let count = Lock(0)
        let (holding, mayGo) = (Latch(), Latch())
        try EventLoop.shared.perform {
            holding.open()
            mayGo.wait()
        }
        holding.wait()
        subscription.set(
            Signals.changes(in: folder.path).subscribe(
                next: { _ in
                    count.withLock { $0 += 1 }
                    subscription.dispose()
                },
                failed: { _ in }
            )
        )
        let other = Changes(Signals.changes(in: folder.path))
        let first = Changes(Signals.changes(in: folder.path).take(first: 2))
        try folder.shell("echo >a; echo >b")
        mayGo.open()
        try other.wait { $0.values.last?.name == "b" && $0.values.last?.kind == .closedAfterWrite }
        ProcessState.settle()
        #expect(count.withLock { $0 } == 1)
        try first.waitForEnd()
        #expect(first.values == Array(other.values.prefix(2)) && first.hasCompleted)
        #expect(other.recorder.violations == [])
    }
}
