import Bus
import BusTesting
import FileBridge
import Glibc
import Loop
import SystemPackage
import TestSupport
import Testing
import Timers

/// What can only be observed in a separate process.
@Suite("Watched files in a separate process")
struct FileProcessTests {
    @Test("watches, made and dropped repeatedly, leave nothing behind")
    func registrations() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TestFolder()
            func round(_ count: Int) {
                for number in 0..<count {
                    if number % 2 == 0 {
                        Signals.changes(in: folder.path).subscribe(next: { _ in }, failed: { _ in }).dispose()
                    } else {
                        Signals.changes(of: folder.file("conf")).subscribe(next: { _ in }, failed: { _ in }).dispose()
                    }
                }
            }
            round(Stress.rounds(200, stress: 10_000))
            let (before, size) = (try ProcessState.now(), try ProcessState.size())
            round(Stress.rounds(600, stress: 100_000))
            let (after, grown) = (try ProcessState.now(), try ProcessState.size() - size)
            complain(unless: before == after, "\(before) became \(after)")
            // Too few to say anything about memory.
            complain(unless: !Stress.isAsked || isSanitized || grown < 2_000_000, "grown by \(grown) bytes")
            // A new watch still hears.
            let heard = Listening(Signals.changes(in: folder.path))
            try folder.shell("echo >a")
            try heard.waitForValues(3)
            let watches = try FileWatcherWatches.count()
            complain(unless: watches == 1, "\(watches) watches")
        }
        expectNoComplaint(result)
    }

    @Test("when the kernel's queue overflows, everybody is told to look again, and later changes are heard")
    func overflow() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TestFolder()
            let (overflown, follows) = (Latch(), Latch())
            let heard = Listening(Signals.changes(in: folder.path, for: [.created])) { change in
                if change.kind == .overflow { overflown.open() }
                if change.name == "after" { follows.open() }
                return .more
            }
            let file = Listening(Signals.changes(of: folder.file("conf")))
            let (holding, mayGo) = (Latch(), Latch())
            // Until then nobody reads.
            try EventLoop.shared.perform {
                holding.open()
                mayGo.wait()
            }
            holding.wait()
            try folder.overflowWatchers()
            try folder.shell("echo >conf")
            mayGo.open()
            // Thousands of values precede it, so the test does not search all of them each time.
            overflown.wait()
            complain(
                unless: heard.lost >= 1 && heard.values.count < 18_000,
                "\(heard.values.count), lost \(heard.lost)"
            )
            // Its creation was among the lost changes.
            try file.wait("the file") { $0.values.contains { $0.kind == .created } }
            try folder.shell("echo >after")
            follows.wait()
        }
        expectNoComplaint(result)
    }

    @Test("without a free descriptor it says what was tried and what to do, and works again once one is free")
    func exhaustion() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            useOwnDescriptors()
            try EventLoop.shared.perform {}
            ProcessState.settle()
            let taken = takeDescriptors()
            let failed = Listening(Signals.changes(in: "/tmp"))
            try failed.waitForEnd()
            let message = failed.failure?.description ?? ""
            complain(
                unless: message.contains("open an inotify descriptor") && message.contains("max_user_instances")
                    && message.contains("LimitNOFILE"),
                message
            )
            for descriptor in taken { close(descriptor) }
            let folder = try TestFolder()
            let heard = Listening(Signals.changes(in: folder.path))
            try folder.shell("echo >a")
            try heard.waitForValues(3)
        }
        expectNoComplaint(result)
    }

    @Test("without a free inotify descriptor, files that come and go between two looks are read, or are a gap")
    func polling() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            useOwnDescriptors()
            ProcessState.settle()
            let folder = try TestFolder()
            var taken = takeDescriptors()
            // One is for waking the reader.
            if let last = taken.popLast() { close(last) }
            let heard = Listening(Signals.lines(following: folder.file("log"), from: .head))
            try heard.waitUntilCaughtUp()
            let isTaken = dup(2) < 0
            complain(unless: isTaken, "the reader had a descriptor too many")
            for descriptor in taken { close(descriptor) }
            let log = try LogFile(folder.file("log"))
            try log.write("a\n")
            try heard.waitForLines(["a"])
            for (number, text) in ["b\n", "c\n", "d\n"].enumerated() {
                try log.setChanged(1_000 + number)
                try log.move(to: ".\(number + 1)")
                try log.reopen()
                try log.write(text)
            }
            try heard.waitForLines(["a", "b", "c", "d"])
            // Before the first file there may have been another.
            let isRight = heard.lines == ["a", "b", "c", "d"] && heard.gaps == [FileGap(.gone)]
            complain(unless: isRight, "\(heard.values)")
            // A descriptor is free now, so the rest is reported: whatever it is called.
            for text in ["e\n", "f\n"] {
                try log.move(to: ".before-\(text.first ?? "?")")
                try log.reopen()
                try log.write(text)
            }
            try heard.wait("f") { $0.lines.last == "f" }
            complain(unless: heard.lines.suffix(3) == ["d", "e", "f"] && heard.gaps.count == 1, "\(heard.values)")
        }
        expectNoComplaint(result)
    }

    /// It lowers a limit of its user namespace, which affects others there. It must be enabled explicitly, best under
    /// `unshare -Ur`.
    private static let lowersLimits = getenv("BUSCTL_RX_LOWERS_LIMITS") != nil

    @Test("without a free watch it says so, and works again once one is free", .enabled(if: lowersLimits))
    func watchLimit() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let limit = FilePath("/proc/sys/user/max_inotify_watches")
            func write(_ text: String) throws {
                let file = try FileDescriptor.open(limit, .writeOnly)
                try file.closeAfter { _ = try file.writeAll(text.utf8) }
            }
            let before = try FileDescriptor.open(limit, .readOnly).closeAfterReading()
            let folder = try TestFolder()
            try folder.shell("mkdir one two")
            let one = Listening(Signals.changes(in: folder.file("one")))
            try write("1")
            let two = Listening(Signals.changes(in: folder.file("two")))
            try write(before)
            try two.waitForEnd()
            let message = two.failure?.description ?? "no failure"
            complain(
                unless: message.contains("watch \(folder.file("two"))") && message.contains("max_user_watches"),
                message
            )
            let again = Listening(Signals.changes(in: folder.file("two")))
            try folder.shell("echo >one/a; echo >two/a")
            try again.waitForValues(3)
            try one.waitForValues(3)
        }
        expectNoComplaint(result)
    }

    @Test("errors name the limit that was reached")
    func limits() {
        let watches = FileWatchError.system(operation: "watch /srv", errno: .noSpace)
        #expect("\(watches)".contains("fs.inotify.max_user_watches") && "\(watches)".contains("/srv"))
    }
}

/// Takes all descriptors that the process may have.
private func takeDescriptors() -> [CInt] {
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [CInt] = []
    while true {
        let descriptor = dup(2)
        guard descriptor >= 0 else { return taken }
        taken.append(descriptor)
    }
}

extension FileDescriptor {
    fileprivate func closeAfterReading() throws -> String {
        try closeAfter {
            try String(unsafeUninitializedCapacity: 64) { try read(into: UnsafeMutableRawBufferPointer($0)) }
        }
    }
}
