import Bus
import BusTesting
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FileBridge

@Suite("Going on behind a place in a log")
struct FilePlaceTests {
    private let folder: TestFolder
    private let path: FilePath

    init() throws {
        folder = try TestFolder()
        path = folder.file("log")
    }

    /// What is there behind a place, or from the beginning.
    private func read(from place: FilePlace?) -> [FileItem] {
        let recorder = Recorder(
            Signals.lines(following: path, from: place.map(FileStart.behind) ?? .head, follow: false)
        )
        recorder.waitForEnd()
        return recorder.values
    }

    /// The place behind the first lines of the file.
    private func place(behind count: Int) throws -> FilePlace {
        let lines = try #require(read(from: nil).first?.lines)
        let bytes = lines.bytes.split(separator: 10, omittingEmptySubsequences: false).prefix(count).map {
            $0.count + 1
        }
        let place = try #require(lines.place(behind: bytes.reduce(0, +)))
        return try #require(FilePlace(place.description))
    }

    private func text(_ items: [FileItem]) -> [String] { items.flatMap { $0.lines?.text ?? [] } }

    @Test("as text and back; other texts are none")
    func text() throws {
        try LogFile.make(path, "one\ntwo\nthree\n")
        let place = try place(behind: 2)
        #expect(
            FilePlace(place.description) == place && place.description.hasSuffix(";offset=8;tail=8:7b9c7bc72169cef7")
        )
        for other in [
            "", "inode=1", "inode=1;offset=2;tail=2", "inode=1;offset=2;tail=3:0", "inode=1;offset=-1;tail=0:0",
            "inode=1;offset=9223372036854775807;tail=0:0", "inode=1;offset=70;tail=65:0", "inode=1;offset=2;tail=0:g",
            "inode=1;offset=2;tail=0:0;", "offset=2;inode=1;tail=0:0", "s=1;i=2;b=3", "inode=1;offset=2;tail=-1:0",
        ] { #expect(FilePlace(other) == nil, "\(other)") }
    }

    @Test("the same behind a line that is read live, later with others, and after a restart")
    func stable() throws {
        let log = try LogFile(path)
        let heard = Listening(Signals.lines(following: path, from: .head))
        try heard.waitUntilCaughtUp()
        func places(_ items: [FileItem]) -> [String] {
            items.compactMap(\.lines).flatMap { lines -> [String] in
                var places: [String] = []
                lines.forEach { _, end in lines.place(behind: end).map { places.append($0.description) } }
                return places
            }
        }
        for number in 1...30 {
            try log.write("line \(number)\r\n")
            try heard.wait("line \(number)") { $0.lines.count == number }
        }
        let live = places(heard.values)
        for (index, place) in live.enumerated() {
            let start = FileStart.behind(try #require(FilePlace(place)))
            let later = Recorder(Signals.lines(following: path, from: start, follow: false))
            later.waitForEnd()
            #expect(places(later.values) == Array(live[(index + 1)...]))
        }
        #expect(live.count == 30 && live.last?.contains("tail=64:") == true)
    }

    @Test("the same file: what is behind the place, now and later")
    func same() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\nthree\n")
        #expect(text(read(from: try place(behind: 1))) == ["two", "three"])
        let heard = Listening(Signals.lines(following: path, from: .behind(try place(behind: 3))))
        try heard.waitUntilCaughtUp()
        try log.write("four\n")
        try heard.waitForLines(["four"])
        #expect(heard.lines == ["four"] && heard.gaps == [])
    }

    @Test("no place behind a line that may not be finished, and none inside it")
    func unfinished() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo")
        let lines = read(from: nil).compactMap(\.lines)
        #expect(lines.map(\.text) == [["one"], ["two"]] && lines.last?.place == nil)
        let place = try #require(lines.first?.place)
        try log.write("!\nthree\n")
        #expect(text(read(from: place)) == ["two!", "three"])
    }

    @Test("before the first line of a file that is moved away")
    func beginning() throws {
        #expect(FilePlace(beginningOf: path) == nil)
        let log = try LogFile(path)
        let place = try #require(FilePlace(beginningOf: path))
        #expect(FilePlace(place.description) == place)
        #expect(read(from: place) == [])
        try log.write("one\n")
        try log.move(to: ".1")
        try log.reopen()
        try log.write("two\n")
        let items = read(from: place)
        #expect(text(items) == ["one", "two"] && items.gaps == [])
    }

    @Test("rotated several times meanwhile: all files in their order, and then what comes")
    func rotated() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 1)
        for number in 3...5 {
            for old in (1..<number - 2).reversed() {
                try LogFile.rename(FilePath("\(path).\(old)"), FilePath("\(path).\(old + 1)"))
            }
            try log.move(to: ".1")
            try log.write("late \(number)\n")
            try log.reopen()
            // Files are told apart by when they were written to.
            try folder.shell("touch -d '@\(2_000_000_000 + number)' log; touch -d '@\(1_999_999_999 + number)' log.1")
            try log.write("line \(number)\n")
            try folder.shell("touch -d '@\(2_000_000_000 + number)' log")
        }
        try folder.shell(
            "echo other | tee log2 log2.1 logs log-errors log.d; touch -d '@2000000009' log2 log2.1 logs log-errors log.d"
        )
        try folder.shell("echo older >log.9; touch -d '@1' log.9")
        let all = ["two", "late 3", "line 3", "late 4", "line 4", "late 5", "line 5"]
        #expect(text(read(from: place)) == all && read(from: place).gaps == [])
        let heard = Listening(Signals.lines(following: path, from: .behind(place)))
        try heard.waitForLines(all)
        try heard.waitUntilCaughtUp()
        #expect(heard.values.last == .caughtUp && heard.values.count { $0 == .caughtUp } == 1)
        try log.move(to: ".new")
        try log.reopen()
        try log.write("six\n")
        try heard.waitForLines(all + ["six"])
        #expect(heard.lines == all + ["six"] && heard.gaps == [])
    }

    @Test("rotated away, and nothing at the path yet: the rest of the old file, and the next one when it comes")
    func vacant() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 1)
        try log.move(to: ".1")
        let heard = Listening(Signals.lines(following: path, from: .behind(place)))
        try heard.waitForLines(["two"])
        try log.reopen()
        try log.write("three\n")
        try heard.waitForLines(["two", "three"])
        #expect(heard.lines == ["two", "three"] && heard.gaps == [])
    }

    @Test("copied and truncated: the rest of the copy, and then the file from its beginning")
    func copied() throws {
        let log = try LogFile(path)
        try log.write("a line that is long enough\nanother\n")
        let place = try place(behind: 1)
        try folder.shell("cp log log.1")
        try log.truncate()
        try log.write("a line that is another now\nand more of it, so that it is longer\n")
        #expect(
            text(read(from: place)) == [
                "another", "a line that is another now", "and more of it, so that it is longer",
            ]
        )
        #expect(read(from: place).gaps == [])
    }

    @Test("deleted, or compressed: a gap, and what there is")
    func gone() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 1)
        try log.move(to: ".1")
        try log.reopen()
        try log.write("three\n")
        try folder.shell("gzip log.1")
        let items = read(from: place)
        #expect(text(items) == ["three"] && items.gaps == [FileGap(.gone)])
        #expect(items.first == .gap(FileGap(.gone)))
        #expect("\(FileGap(.gone))".contains("compressed"))
    }

    @Test("times that are far in the future order files like all others")
    func future() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 1)
        try log.move(to: ".1")
        try log.reopen()
        try log.write("three\n")
        try log.move(to: ".2")
        try log.reopen()
        try folder.shell("touch -d @10000000000 log.1; touch -d @10000000001 log.2; touch -d @10000000002 log")
        let items = read(from: place)
        #expect(text(items) == ["two", "three"] && items.gaps == [])
    }

    @Test("a file between that is compressed is said, and what is left of the first is read")
    func between() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 1)
        try log.move(to: ".1")
        try log.reopen()
        try log.write("three\n")
        try log.move(to: ".2")
        try log.reopen()
        try log.write("four\n")
        try folder.shell("touch -d '@1' log.1; gzip log.2")
        let items = read(from: place)
        #expect(text(items) == ["two", "four"] && items.gaps == [FileGap(.gone)])
    }

    /// What is read behind the first line of a log, in which or in whose target there were two, after commands: lines, and `-` for a gap.
    private func read(_ name: String, after commands: String) throws -> [String] {
        try folder.shell("printf 'one\\ntwo\\n' >\(name); [ -e log ] || ln -s \(name) log")
        let place = try place(behind: 1)
        // Files are told apart by when they were written to.
        try folder.shell(
            """
            away() { mv \(name) $1; touch -d @$2 $1; }
            put() { printf %s "$3" >$1; touch -d @$2 $1; }
            \(commands)
            """
        )
        return read(from: place).flatMap { $0.lines?.text ?? ["-"] }
    }

    @Test(
        "a gap where a file may be missing, and only there",
        arguments: [
            // What is left out is told in its place; a file that is just being compressed is not left out.
            ("away log.1 1; put log.2 2 2; gzip log.2; put log.3 3 3; put log 4 4", ["two", "-", "3", "4"]),
            ("away log.1 1; put log.1.gz 9; put log.2 2 2; gzip -k log.2; put log 3 3", ["two", "2", "3"]),
            ("away log.1 1; put log.2.gz 2; put log 3 3", ["two", "-", "3"]),
            // Two names of one file; a name of the present one.
            ("away log.1 1; put log.2 2 2; ln log.2 log.3; put log 4 4; ln log log.4", ["two", "2", "4"]),
            ("away log.1 1; ln log.1 backup; put log 4 4", ["two", "4"]),
            // A name without a number.
            ("away log.1 5; put log.old 1 0; put log 6 4", ["two", "4"]),
            // Others may have come between, under names like this one.
            ("away @4000 1; put @5000 2 2; put log 3 3", ["two", "-", "3"]),
            // The clock was set back.
            ("away log.3 9; put log.2 5 2; put log.1 7 3; put log 8 4", ["two", "-", "4"]),
            ("away log.1 9; put log 8 2", ["two", "-", "2"]),
            // An empty file says nothing of when the one before was left.
            ("away log.1 9; put log 8", ["two"]),
            // At equal times the numbers have the order that they have otherwise.
            ("away log.3 5; put log.4 1 0; put log.2 5 2; put log.1 5 3; put log 6 4", ["two", "2", "3", "4"]),
            ("away log.1 5; put log.2 5 2; put log 6 4", ["two", "-", "2", "4"]),
        ]
    )
    func missing(_ commands: String, _ expected: [String]) throws {
        #expect(try read("log", after: commands) == expected)
    }

    @Test(
        "a link to the log that is switched, and logs with similar names",
        arguments: [
            ("app-27.log", "put app-28.log 2 2; ln -sf app-28.log log", ["two", "-", "2"]),
            ("app.log", "away app.log.1 1; put app-1.log 2 other; put app.log 3 3", ["two", "3"]),
            (
                "app.log", "away app-1.log 1; put app.log.1 2 other; put app-2.log 3 3; put app.log 4 4",
                ["two", "3", "4"]
            ),
        ]
    )
    func names(_ name: String, _ commands: String, _ expected: [String]) throws {
        #expect(try read(name, after: commands) == expected)
    }

    @Test("truncated and written anew, longer than before: not taken for the same")
    func truncated() throws {
        let log = try LogFile(path)
        try log.write("one\ntwo\n")
        let place = try place(behind: 2)
        try log.truncate()
        try log.write("others\nof the same file\n")
        let items = read(from: place)
        #expect(text(items) == ["others", "of the same file"] && items.gaps == [FileGap(.gone)])
    }

    @Test(
        "names of rotated files, and of others",
        arguments: [
            ("app.log.1", true), ("app.log-20261128", true), ("app.log.2026-11-28T10:00:00Z", true),
            ("app.log_3", true),
            ("app.log.old", true), ("app.log.5.old", true), ("app.log.2.gz", true), ("app-20261128.log", true),
            ("app.1.log.xz", true),
            ("app.log", false), ("app.log.gz", false), ("app.log2", false), ("app2.log", false),
            ("app-error.log", false),
            ("app.log.err", false), ("app.log.err.old", false), ("app", false), ("app.log.", false),
            ("app.log-", false), ("app.log.1a", false),
            ("", false),
        ]
    )
    func names(_ name: String, _ isRotated: Bool) {
        #expect((RotatedName(name, of: "app.log") != nil) == isRotated)
    }

    @Test("random rotations, and readers that stop behind any line and go on: each line once, in order")
    func random() throws {
        for seed in 0..<UInt64(Stress.rounds(6, stress: 200)) {
            var random = SeededGenerator(seed)
            let folder = try TestFolder()
            let path = folder.file("log")
            let log = try LogFile(path)
            var (written, rotations, heard, place) = (0, 0, [String](), FilePlace?.none)
            for step in 0..<60 {
                // The kernel's times have steps of milliseconds; logs are not rotated so fast.
                try log.setChanged(step)
                switch random.number(0..<4) {
                case 0:
                    rotations += 1
                    try log.move(to: ".\(rotations)")
                    try log.reopen()
                case 1, 2:
                    let lines = (0..<random.number(1..<40)).map { "\(written + $0)" }
                    written += lines.count
                    try log.write(lines.joined(separator: "\n") + "\n")
                default:
                    var left = step == 59 ? Int.max : random.number(0..<60)
                    let start = place.map(FileStart.behind) ?? .head
                    let recorder = Recorder(Signals.lines(following: path, from: start, follow: false))
                    recorder.waitForEnd()
                    for item in recorder.values {
                        #expect(item.lines != nil, "seed \(seed): \(item)")
                        item.lines?.forEach { line, end in
                            guard left > 0 else { return }
                            left -= 1
                            heard.append(String(decoding: line, as: UTF8.self))
                            place = item.lines?.place(behind: end).flatMap { FilePlace($0.description) }
                        }
                    }
                }
            }
            let rest = Recorder(
                Signals.lines(following: path, from: place.map(FileStart.behind) ?? .head, follow: false)
            )
            rest.waitForEnd()
            heard += rest.values.flatMap { $0.lines?.text ?? [] }
            // Without a place, what was rotated away before the first line was heard is another log's.
            let first = heard.first.flatMap { Int($0) } ?? 0
            #expect(heard == (first..<written).map { "\($0)" } || written == 0, "seed \(seed)")
        }
    }
}
