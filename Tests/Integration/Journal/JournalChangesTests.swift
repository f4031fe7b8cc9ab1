import Foundation
import Glibc
import JournalBridge
import JournalWriter
import Synchronization
import TestSupport
import Testing

/// Files that are created, deleted and changed while they are followed. The test makes each step.
@Suite("Following files that are created, deleted and changed")
struct JournalChangesTests {
    private let folder: TemporaryFolder
    private var reading = Reading()

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("a later entry is not skipped when an entry of another source has a later time")
    mutating func sourcesOfTheirOwn() throws {
        var one = try GrowingJournal(path("one.journal"), source: 1)
        var other = try GrowingJournal(path("other.journal"), source: 2)
        try one.append(1...1, monotonic: 1000)
        try other.append(101...101, monotonic: 2000)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        try other.append(102...102, monotonic: 5000)
        try reading.drain(reader)
        try one.append(2...2, monotonic: 4000)
        try reading.drain(reader)
        try other.append(103...103, monotonic: 6000)
        try reading.drain(reader)
        #expect(reading.messages == ["1", "101", "102", "2", "103"])
        #expect(reading.gaps == [])
    }

    @Test("the first entry of an existing empty file arrives, even if another source has a later one")
    mutating func laterSource() throws {
        var old = try GrowingJournal(path("one.journal"), source: 1)
        var other = try GrowingJournal(path("other.journal"), source: 2)
        try old.append(1...1, monotonic: 1000)
        try other.append(101...101, monotonic: 2000)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        var fresh = try GrowingJournal(path("one-2.journal"), source: 1)
        try fresh.write()
        try reading.drain(reader)
        try other.append(102...102, monotonic: 5000)
        try reading.drain(reader)
        try fresh.append(2...3, monotonic: 4000)
        try reading.drain(reader)
        #expect(reading.messages == ["1", "101", "102", "2", "3"])
        #expect(reading.gaps == [])
    }

    @Test("entries that are copied into another file, as when journald moves its journal, arrive once")
    mutating func copies() throws {
        var one = try GrowingJournal(path("one.journal"), source: 1)
        try one.append(1...60)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        var other = try GrowingJournal(path("other.journal"), source: 2)
        // The first part is copied and read before the rest is copied.
        try other.append(1...30)
        try reading.drain(reader)
        try other.append(31...60)
        try reading.drain(reader)
        try other.append(61...70)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...70))
        #expect(reading.gaps == [])
    }

    @Test("files are all read, even if they appear faster than their folder is checked")
    mutating func manyFiles() throws {
        let count = Stress.rounds(300, stress: 1_000)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        let paths = (1...count).map { path("\($0).journal") }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for number in 1...count {
                var file = try? GrowingJournal(paths[number - 1])
                try? file?.append(number...number)
            }
            done.signal()
        }
        while reading.entries.count < count, !RunLimit.isOver {
            try reading.drain(reader)
            try reader.wait(until: -1, atMost: 10)
        }
        done.wait()
        #expect(reading.messages == numbers(1...count))
        #expect(reading.gaps == [])
    }

    @Test("entries written alternately to two files arrive in order, and none is skipped")
    mutating func filesInTurn() throws {
        let count = Stress.rounds(1_500, stress: 6_000)
        var files = try ["one", "other"].map { try GrowingJournal(path("\($0).journal")) }
        try files[0].append(1...1)
        try files[1].append(2...2)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var target = files  // Used by the writing thread alone.
        Thread.detachNewThread {
            for number in 3...count { try? target[Int.random(in: 0...1)].append(number...number) }
            done.signal()
        }
        while reading.lastMessage != "\(count)" {
            try reading.drain(reader)
            guard !RunLimit.isOver else { break }
        }
        done.wait()
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...count))
        #expect(reading.gaps == [])
    }

    @Test("numbers missing between two files are reported")
    mutating func deletedFiles() throws {
        var first = try GrowingJournal(path("a.journal"))
        try first.append(1...10)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        // Numbers 11 to 20 were in a file that is gone.
        var second = try GrowingJournal(path("b.journal"))
        try second.append(21...30)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...10, 21...30))
        #expect(reading.gaps == [JournalGap(.deleted, lost: 10)])
    }

    @Test("a file that cannot be read at all does not hide the deletion of others")
    mutating func garbageBeside() throws {
        try Data("no journal at all".utf8).write(to: URL(fileURLWithPath: path("garbage.journal")))
        var first = try GrowingJournal(path("a.journal"))
        try first.append(1...10)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.drain(reader)
        #expect(reading.gaps.map(\.reason) == [.unreadable])
        var second = try GrowingJournal(path("b.journal"))
        try second.append(21...30)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...10, 21...30))
        #expect(reading.gaps.dropFirst() == [JournalGap(.deleted, lost: 10)])
    }

    @Test(
        "a deleted file is closed once it is read, and so is one moved out of the folder",
        arguments: [true, false]
    )
    mutating func filesThatGo(isDeleted: Bool) throws {
        var first = try GrowingJournal(path("a.journal"))
        try first.append(1...1000)
        let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
        try reading.take(from: reader) { $0.entries.count == 10 }
        let elsewhere = try TemporaryFolder()
        if isDeleted {
            unlink(first.path)
        } else {
            #expect(rename(first.path, elsewhere.path("a.journal")) == 0)
        }
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...1000))
        try reading.drain(reader)
        #expect(try OpenFiles.count(in: folder) + OpenFiles.count(in: elsewhere) == 0)
        var second = try GrowingJournal(path("b.journal"))
        try second.append(1001...1010)
        try reading.drain(reader)
        #expect(reading.messages == numbers(1...1010))
        #expect(reading.gaps == [])
    }

    @Test("a file that appears while no descriptor is free is read once one is")
    func noDescriptor() async {
        await #expect(processExitsWith: .success) {
            useOwnDescriptors()
            let folder = try TemporaryFolder()
            var first = try GrowingJournal(folder.path("a.journal"))
            try first.append(1...10)
            var second = try GrowingJournal(folder.path("b"))
            try second.append(11...20)
            let reader = try JournalReader(.directory(folder.path), from: .head, follow: true)
            var reading = Reading()
            try reading.take(from: reader) { $0.entries.count == 10 }
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [CInt] = []
            while case let descriptor = dup(2), descriptor >= 0 { taken.append(descriptor) }
            rename(second.path, folder.path("b.journal"))
            var looks = 0
            try reading.take(from: reader) { _ in
                looks += 1
                return looks > 100
            }
            for descriptor in taken { close(descriptor) }
            try reading.take(from: reader) { $0.lastMessage == "20" }
            precondition(reading.messages == (1...20).map { "\($0)" }, "\(reading.messages)")
        }
    }

    @Test("a folder that is deleted or moved away and created again is still followed")
    mutating func foldersMadeAnew() throws {
        let rounds = Stress.rounds(30, stress: 100)
        let inner = path("journal")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let reader = try JournalReader(.directory(inner), from: .head, follow: true)
        let inTurn = DispatchSemaphore(value: 0)
        let away = folder.path
        let done = Mutex(false)
        Thread.detachNewThread {
            for number in 1...rounds {
                if number > 1 {
                    inTurn.wait()
                    if number.isMultiple(of: 2) {
                        try? FileManager.default.removeItem(atPath: inner)
                    } else {
                        rename(inner, away + "/away\(number)")
                    }
                    mkdir(inner, 0o700)
                    // The reader does more or less of its check of the folder before the file exists.
                    usleep(UInt32.random(in: 0...300))
                }
                // Made elsewhere: a reader that found the file half made would rightly report damage.
                let made = away + "/made"
                guard var file = try? GrowingJournal(made), (try? file.append(number...number)) != nil else { continue }
                rename(made, inner + "/a.journal")
            }
            done.withLock { $0 = true }
        }
        for number in 1...rounds {
            try reading.take(from: reader) { $0.entries.count >= number }
            inTurn.signal()
        }
        #expect(reading.messages == numbers(1...rounds))
        #expect(reading.gaps == [])
    }
}
