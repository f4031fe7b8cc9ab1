import TestSupport
import Bus
import BusTesting
@testable import FileBridge
import Glibc
import SystemPackage
import Testing

@Suite("Changes of the file at a path, made by another process")
struct FileChangesTests {
    typealias Changes = Listening<FileChange, FileWatchError>

    private func kinds(_ heard: Changes) -> [FileChange.Kind] { heard.values.map(\.kind) }

    /// The changes that are heard whatever the order of events.
    private func structure(_ heard: Changes) -> [FileChange.Kind] {
        kinds(heard).filter { [.created, .replaced, .deleted].contains($0) }
    }

    private func wait(_ heard: Changes, _ count: Int, _ kind: FileChange.Kind) throws {
        try heard.wait("\(count) × \(kind)") { $0.values.filter { $0.kind == kind }.count >= count }
    }

    @Test("missing at first, then created, written, deleted and created again")
    func missing() throws {
        let folder = try TestFolder()
        let heard = Changes(Signals.changes(of: folder.file("conf")))
        try folder.shell("echo other >other; echo a >conf")
        try wait(heard, 1, .closedAfterWrite)
        // The number of reports about writing depends on when the new file is first watched.
        #expect(kinds(heard).first == .created)
        #expect(structure(heard) == [.created])
        try folder.shell("rm conf")
        try wait(heard, 1, .deleted)
        let closed = kinds(heard).filter { $0 == .closedAfterWrite }.count
        try folder.shell("echo b >conf")
        try wait(heard, closed + 1, .closedAfterWrite)
        #expect(structure(heard) == [.created, .deleted, .created])
        #expect(heard.values.allSatisfy { $0.name == "conf" })
        heard.dispose()
    }

    @Test("replaced by rename a hundred times, as an editor saves: each is heard, and so are later writes")
    func replaced() throws {
        let folder = try TestFolder()
        try folder.shell("echo 0 >conf")
        let heard = Changes(Signals.changes(of: folder.file("conf")))
        for round in 1...100 {
            try folder.shell("echo \(round) >conf.new; mv conf.new conf")
            try wait(heard, round, .replaced)
        }
        #expect(structure(heard) == Array(repeating: .replaced, count: 100))
        try folder.shell("echo more >>conf")
        try wait(heard, 1, .closedAfterWrite)
        heard.dispose()
    }

    @Test("a config map: the link in the middle is swapped, and the old directory deleted")
    func configMap() throws {
        let folder = try TestFolder()
        try folder.shell("mkdir ..1; echo 1 >..1/conf; ln -s ..1 ..data; ln -s ..data/conf conf")
        let heard = Changes(Signals.changes(of: folder.file("conf")))
        for round in 2...30 {
            let swap = "mkdir ..\(round); echo \(round) >..\(round)/conf; ln -s ..\(round) ..tmp; mv -T ..tmp ..data"
            try folder.shell("\(swap); rm -r ..\(round - 1)")
            try wait(heard, round - 1, .replaced)
        }
        #expect(structure(heard) == Array(repeating: .replaced, count: 29))
        try folder.shell("echo more >>conf")
        try wait(heard, 1, .closedAfterWrite)
        heard.dispose()
    }

    @Test("its directory is missing at first, is moved away, and returns")
    func missingDirectory() throws {
        let folder = try TestFolder()
        let heard = Changes(Signals.changes(of: folder.file("a/b/conf")))
        try folder.shell("mkdir a; mkdir a/b; echo 1 >a/b/conf")
        try wait(heard, 1, .created)
        try folder.shell("mv a/b a/c")
        try wait(heard, 1, .deleted)
        try folder.shell("mkdir a/b; echo 2 >a/b/conf")
        try wait(heard, 2, .created)
        try folder.shell("rm -r a/b")
        try wait(heard, 2, .deleted)
        #expect(structure(heard) == [.created, .deleted, .created, .deleted])
        heard.dispose()
    }

    @Test("a file that becomes a link, and a link that gets another target")
    func links() throws {
        let folder = try TestFolder()
        try folder.shell("echo 1 >conf; echo 2 >two; echo 3 >three")
        let heard = Changes(Signals.changes(of: folder.file("conf")))
        try folder.shell("ln -s two conf.new; mv -T conf.new conf")
        try wait(heard, 1, .replaced)
        try folder.shell("echo more >>two")
        try wait(heard, 1, .closedAfterWrite)
        try folder.shell("ln -s three conf.new; mv -T conf.new conf")
        try wait(heard, 2, .replaced)
        try folder.shell("rm three")
        try wait(heard, 1, .deleted)
        heard.dispose()
    }

    @Test("links in a circle are refused by name")
    func circle() throws {
        let folder = try TestFolder()
        try folder.shell("ln -s b a; ln -s a b")
        let heard = Changes(Signals.changes(of: folder.file("a")))
        try heard.waitForEnd()
        #expect(heard.failure == .system(operation: "follow \(folder.file("a"))", errno: .tooManySymbolicLinkLevels))
    }

    @Test("an observer so slow that changes are lost hears of the loss, and still the file's state")
    func slow() throws {
        let folder = try TestFolder()
        try folder.shell("echo 0 >conf")
        let (entered, mayReturn, replaced) = (Latch(), Latch(), Latch())
        let heard = Changes(Signals.changes(of: folder.file("conf"), on: ThreadScheduler(name: "slow"))) { change in
            if change.kind == .replaced { replaced.open() }
            entered.open()
            mayReturn.wait()
            return .more
        }
        try folder.shell("echo 1 >conf")
        entered.wait()
        // The following changes find the queue full, including the replacement.
        for _ in 0..<4 {
            // Each writes and closes, so the kernel cannot merge any.
            try folder.shell("i=0; while [ $i -lt 3000 ]; do echo >>conf; i=$((i+1)); done")
            ProcessState.settle()
        }
        try folder.shell("echo 2 >conf.new; mv conf.new conf")
        mayReturn.open()
        // Thousands of values precede it, so the test does not search all of them each time.
        replaced.wait()
        #expect(heard.lost > 0)
        heard.dispose()
    }

    @Test("what looks at a path report as its file appears and disappears")
    func machine() {
        func file(_ number: UInt64, born: Int64 = 0) -> FileIdentity {
            FileIdentity(device: 1, number: number, bornSeconds: born, bornNanoseconds: 0)
        }
        var followed = FollowedFile(nil)
        #expect(followed.rescan(after: .departure, nil) == nil)
        #expect(followed.rescan(after: .arrival, file(1)) == .created)
        #expect(followed.rescan(after: .arrival, file(1)) == nil)
        #expect(followed.rescan(after: .arrival, file(2)) == .replaced)
        // Deleted and created again before the look: one departs and another arrives.
        #expect(followed.rescan(after: .departure, file(3)) == .replaced)
        #expect(followed.rescan(after: .arrival, file(3)) == nil)
        // The same, but the new file got the same number.
        #expect(followed.rescan(after: .departure, file(3)) == nil)
        #expect(followed.rescan(after: .arrival, file(3)) == .replaced)
        #expect(followed.rescan(after: .arrival, file(3, born: 1)) == .replaced)
        #expect(followed.rescan(after: .departure, nil) == .deleted)
        #expect(followed.rescan(after: .departure, nil) == nil)
        // It appeared and disappeared.
        #expect(followed.rescan(after: .arrival, nil) == nil)
    }
}
