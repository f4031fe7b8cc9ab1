import Bus
import BusTesting
import FileBridge
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Lines of a followed file")
struct FollowedLinesTests {
    typealias Lines = Listening<FileItem, FileReadError>

    private let folder: TestFolder
    private let path: FilePath

    init() throws {
        folder = try TestFolder()
        path = folder.file("log")
    }

    private func follow(_ start: FileStart = .end) throws -> Lines {
        let heard = Lines(Signals.lines(following: path, from: start))
        try heard.waitUntilCaughtUp()
        return heard
    }

    @Test("existing lines, then new ones; an unfinished line waits")
    func growing() throws {
        let log = try LogFile(path)
        try log.write("a\nb")
        let heard = try follow(.head)
        try heard.waitForLines(["a"])
        #expect(heard.values == [.lines(FileLines(bytes: Array("a\n".utf8))), .caughtUp])
        try log.write("c")
        try log.write("d\ne\n")
        try heard.waitForLines(["a", "bcd", "e"])
        #expect(heard.lines == ["a", "bcd", "e"] && heard.gaps == [])
        #expect(heard.values.count { $0 == .caughtUp } == 1)
        heard.dispose()
        #expect(heard.recorder.violations == [])
    }

    @Test("missing at first, with its directories: read from its beginning")
    func missing() throws {
        let heard = Lines(Signals.lines(following: folder.file("a/b/log"), from: .end))
        try heard.waitUntilCaughtUp()
        try folder.shell("mkdir a; mkdir a/b; echo one >a/b/log")
        try heard.waitForLines(["one"])
        try folder.shell("rm -r a; mkdir -p a/b; echo two >a/b/log")
        try heard.waitForLines(["one", "two"])
        #expect(heard.lines == ["one", "two"] && heard.gaps == [])
    }

    @Test("a directory above is moved away and made anew")
    func movedAbove() throws {
        try folder.shell("mkdir -p a/b/c; echo one >a/b/c/log")
        let heard = Lines(Signals.lines(following: folder.file("a/b/c/log"), from: .head))
        try heard.waitForLines(["one"])
        try folder.shell("mv a/b a/old; mkdir -p a/b/c; echo two >a/b/c/log")
        try heard.waitForLines(["one", "two"])
        #expect(heard.gaps == [])
    }

    @Test("rotated by rename: the old file's rest comes first, even writes before the daemon notices")
    func rotated() throws {
        let log = try LogFile(path)
        let heard = try follow()
        try log.write("a\n")
        try heard.waitForLines(["a"])
        try log.move(to: ".1")
        try log.write("b\n")
        try heard.waitForLines(["a", "b"])
        try LogFile.make(path)
        try log.write("c\nunfinished")
        try heard.waitForLines(["a", "b", "c"])
        try log.reopen()
        try log.write("d\n")
        try heard.waitForLines(["a", "b", "c", "unfinished", "d"])
        #expect(heard.lines == ["a", "b", "c", "unfinished", "d"] && heard.gaps == [])
    }

    @Test("rotated many times while the observer pauses: nothing is lost, and all names are released")
    func rotatedWhilePausing() throws {
        let log = try LogFile(path)
        try log.write("0\n")
        let heard = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try heard.waitForPause()
        for round in 1...60 {
            for number in (1..<round).reversed() {
                try LogFile.rename(FilePath("\(path).\(number)"), FilePath("\(path).\(number + 1)"))
            }
            try log.move(to: ".1")
            try log.reopen()
            try log.write("\(round)\n")
        }
        heard.release()
        try heard.wait("the last line") { $0.values.flatMap { $0.lines?.text ?? [] }.contains("60") }
        #expect(heard.values.flatMap { $0.lines?.text ?? [] } == (0...60).map { "\($0)" })
        #expect(heard.values.gaps == [] && heard.overrun == 0)
    }

    @Test("a file deleted before it could be opened is reported")
    func missed() throws {
        let log = try LogFile(path)
        try log.write("0\n")
        let heard = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try heard.waitForPause()
        try log.move(to: ".1")
        try log.reopen()
        try log.write("1\n")
        try log.delete()
        try log.reopen()
        try log.write("2\n")
        heard.release()
        try heard.wait("the last line") { $0.values.last?.lines?.text == ["2"] }
        let expected: [FileItem] = [
            .lines(FileLines(bytes: Array("0\n".utf8))), .caughtUp, .gap(FileGap(.missed)),
            .lines(FileLines(bytes: Array("2\n".utf8))),
        ]
        #expect(heard.values == expected)
    }

    @Test("a link that came and was moved on while the observer paused is reported, and the next file is read")
    func movedLink() throws {
        let log = try LogFile(path)
        try log.write("0\n")
        let heard = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try heard.waitForPause()
        try folder.shell("mv log log.0; ln -s x log; mv log log.1; echo 1 >log")
        heard.release()
        try heard.wait("the last line") { $0.values.last?.lines?.text == ["1"] }
        #expect(heard.values.flatMap { $0.lines?.text ?? [] } == ["0", "1"])
        #expect(heard.values.gaps == [FileGap(.missed)])
        try folder.shell("mv log log.2; echo 2 >target; ln -s target log")
        try heard.wait("the link's file") { $0.values.last?.lines?.text == ["2"] }
    }

    @Test("truncated: a gap, then from the beginning; even if it has become longer again")
    func truncated() throws {
        let log = try LogFile(path)
        try log.write("a\nunfinished")
        let heard = try follow(.head)
        try log.truncate()
        try heard.wait("the gap") { $0.gaps == [FileGap(.truncated)] }
        try log.write("b\n")
        try heard.waitForLines(["a", "unfinished", "b"])
        #expect(heard.lines == ["a", "unfinished", "b"])
        heard.dispose()

        let paused = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try paused.waitForPause()
        try log.truncate()
        try log.write("c, which is longer\nd\n")
        paused.release()
        try paused.wait("the last line") { $0.values.last?.lines?.text.last == "d" }
        let expected: [FileItem] = [
            .lines(FileLines(bytes: Array("b\n".utf8))), .caughtUp, .gap(FileGap(.truncated)),
            .lines(FileLines(bytes: Array("c, which is longer\nd\n".utf8))),
        ]
        #expect(paused.values == expected)
    }

    @Test("truncated before it was read: the known losses are counted")
    func truncatedUnread() throws {
        let log = try LogFile(path)
        let line = String(repeating: "x", count: 99) + "\n"
        try log.write(String(repeating: line, count: 10_000))
        let heard = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try heard.waitForPause()
        try log.truncate()
        heard.release()
        try heard.wait("the gap") { !$0.values.gaps.isEmpty }
        let read = heard.values.reduce(0) { $0 + ($1.lines?.bytes.count ?? 0) }
        let lost = try #require(heard.values.gaps.first?.lost)
        #expect(heard.values.gaps.first?.reason == .truncated && lost > 900_000 && read + lost <= 1_000_000)
    }

    @Test("deleted and created again; replaced by another that is renamed over it")
    func replaced() throws {
        let log = try LogFile(path)
        let heard = try follow()
        try log.write("a\n")
        try log.delete()
        try log.write("b\n")
        try heard.waitForLines(["a", "b"])
        try log.reopen()
        try log.write("c\n")
        try heard.waitForLines(["a", "b", "c"])
        try folder.shell("echo d >other; mv other log")
        try heard.waitForLines(["a", "b", "c", "d"])
        try folder.shell("mv log away; mv away log; echo e >>log")
        try heard.waitForLines(["a", "b", "c", "d", "e"])
        #expect(heard.lines == ["a", "b", "c", "d", "e"] && heard.gaps == [])
    }

    @Test("a symbolic link that is switched, even one in the middle of the path")
    func links() throws {
        try folder.shell("mkdir 1 2; echo a >1/log; ln -s 1 now; ln -s now/log log")
        let heard = try follow(.head)
        try folder.shell("echo b >2/log; ln -s 2 new; mv -T new now")
        try heard.waitForLines(["a", "b"])
        try folder.shell("echo c >third; ln -s third new; mv -T new log")
        try heard.waitForLines(["a", "b", "c"])
        try folder.shell("echo d >>third")
        try heard.waitForLines(["a", "b", "c", "d"])
        #expect(heard.lines == ["a", "b", "c", "d"] && heard.gaps == [])
    }

    @Test(
        "a directory in place of the file is reported, and its successor is read, even as other names change",
        arguments: [false, true]
    )
    func directory(withChanges: Bool) throws {
        let log = try LogFile(path)
        let heard = try follow()
        let endChanges = withChanges ? try folder.changeNames() : {}
        defer { endChanges() }
        try folder.shell("mv log log.1; mkdir log")
        try log.write("a\n")
        try heard.waitForLines(["a"])
        try heard.wait("the gap") { $0.gaps == [FileGap(.unreadable(.notRegular(path, .directory)))] }
        try folder.shell("rmdir log; echo b >log")
        try heard.waitForLines(["a", "b"])
        #expect(heard.lines == ["a", "b"])
    }

    @Test(
        "a file without read permission is reported, and read once it has permission",
        .enabled(if: geteuid() != 0, "root may read everything")
    )
    func forbidden() throws {
        _ = try LogFile(path)
        let heard = try follow()
        try folder.shell("mv log log.1; umask 777; : >log")
        try heard.wait("the gap") { !$0.gaps.isEmpty }
        let refusal = FileReadError.system(operation: "open \(path)", errno: .permissionDenied)
        #expect(heard.gaps == [FileGap(.unreadable(refusal))])
        try folder.shell("chmod 600 log; echo a >>log")
        try heard.waitForLines(["a"])
        #expect(heard.lines == ["a"] && heard.gaps.count == 1)
    }

    @Test("grows faster than it is read: the initial content is reported, and nothing is missing")
    func fast() throws {
        let (path, mayEnd) = (path, Lock(false))
        try LogFile.make(path, "first\n")
        let writer = try TestThread {
            var number = 0
            do {
                let log = try LogFile(path)
                while !mayEnd.withLock({ $0 }) {
                    try log.write((number..<(number + 500)).map { "\($0)\n" }.joined())
                    number += 500
                }
                try log.write("end\n")
            } catch {
                Issue.record(error)
            }
        }
        let (seen, isOrdered) = (Lock(0), Lock(true))
        let heard = Lines(Signals.lines(following: path, from: .head)) { item in
            item.lines?.forEach { line in
                let text = String(decoding: line, as: UTF8.self)
                guard text != "first", text != "end" else { return }
                let expected = seen.withLock { seen -> Int in
                    defer { seen += 1 }
                    return seen
                }
                if text != "\(expected)" { isOrdered.withLock { $0 = false } }
            }
            return .more
        }
        try heard.waitUntilCaughtUp()
        try heard.wait("many lines") { _ in seen.withLock { $0 } > 20_000 }
        mayEnd.withLock { $0 = true }
        writer.wait()
        try heard.wait("the end") { $0.values.last?.lines?.text.last == "end" }
        #expect(isOrdered.withLock { $0 } && heard.gaps == [])
    }

    @Test("disposed of while it waits or pauses, its thread ends and everything is closed")
    func disposal() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TestFolder()
            let path = folder.file("log")
            try LogFile.make(path, "a\nb\n")
            func round(_ path: FilePath) throws {
                let waiting = Listening(Signals.lines(following: path, from: .head))
                let paused = PausedListening(Signals.lines(following: path, from: .head), after: 1)
                try waiting.wait { $0.values.contains(.caughtUp) }
                try paused.waitForPause()
                waiting.dispose()
                paused.dispose()
                Signals.lines(following: path, from: .end).subscribe(next: { _ in }, failed: { _ in }).dispose()
                complain(unless: !waiting.recorder.hasEnded && !paused.recorder.hasEnded, "an end was heard")
            }
            func hasEnded() throws -> Bool {
                try ProcessState.now().threads.allSatisfy { !$0.hasPrefix("bus-lines") }
            }
            try round(path)
            while try !hasEnded(), !RunLimit.isOver {}
            let before = try ProcessState.now()
            for _ in 0..<Stress.rounds(30, stress: 200) {
                try round(path)
                try round(folder.file("missing"))
            }
            var after = try ProcessState.now()
            // The last ones may still be ending.
            while after.threads.count > before.threads.count || after.descriptors > before.descriptors, !RunLimit.isOver
            {
                after = try ProcessState.now()
            }
            complain(unless: !RunLimit.isOver && after.subscriptions == 0, "\(before) became \(after)")
        }
        expectNoComplaint(result)
    }

    @Test("the kernel's queue overflows while a file is rotated: a gap, and then the file now at the path")
    func overflow() throws {
        let log = try LogFile(path)
        try log.write("0\n")
        let heard = PausedListening(Signals.lines(following: path, from: .head), after: 1)
        try heard.waitForPause()
        try folder.overflowWatchers()
        try log.move(to: ".1")
        try log.write("1\n")
        try log.reopen()
        try log.write("2\n")
        heard.release()
        try heard.wait("the last line") { $0.values.last?.lines?.text == ["2"] }
        #expect(heard.values.flatMap { $0.lines?.text ?? [] } == ["0", "1", "2"])
        #expect(heard.values.gaps == [FileGap(.missed)])
        try log.move(to: ".2")
        try log.reopen()
        try log.write("3\n")
        try heard.wait("what follows") { $0.values.last?.lines?.text == ["3"] }
    }

    @Test("an observer that takes one value ends it, and the thread")
    func enough() throws {
        let log = try LogFile(path)
        try log.write("a\nb\n")
        let thread = SeenThread()
        let heard = Lines(Signals.lines(following: path, from: .head).on(next: { _ in thread.note() }).take(first: 1))
        try heard.waitForEnd()
        #expect(heard.hasCompleted && heard.lines == ["a", "b"])
        try NewsBoard().waitOrThrow("the thread to end") { thread.hasEnded }
    }

    @Test("while the observer pauses, the thread sleeps, and no change of the file wakes it")
    func sleeping() throws {
        let log = try LogFile(path)
        try log.write("a\n")
        let thread = SeenThread()
        let signal = Signals.lines(following: path, from: .head).on(next: { _ in thread.note() })
        let heard = PausedListening(signal, after: 1)
        try heard.waitForPause()
        try NewsBoard().waitOrThrow("the thread to sleep") { thread.isParked }
        try log.write("b\n")
        try log.move(to: ".1")
        try log.reopen()
        #expect(thread.isParked && heard.values.count == 1)
        heard.release()
        try heard.wait("the rest") { $0.values.last?.lines?.text == ["b"] }
    }

    @Test("with no free descriptor it fails and says what to do")
    func exhaustion() {
        let error = FileReadError.system(operation: "open /var/log/x", errno: .tooManyOpenFiles)
        #expect("\(error)".contains("LimitNOFILE") && "\(error)".contains("/var/log/x"))
    }
}
