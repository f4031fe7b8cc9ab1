import Bus
import BusTesting
import DescriptorBridge
import FileBridge
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("The existing lines of a file")
struct FileLinesTests {
    typealias Lines = Listening<FileItem, FileReadError>

    private let folder: TestFolder
    private let path: FilePath

    init() throws {
        folder = try TestFolder()
        path = folder.file("log")
    }

    private func read(_ start: FileStart = .head, limit: Int = 65_536) throws -> Lines {
        let heard = Lines(Signals.lines(following: path, from: start, follow: false, lineLimit: limit))
        try heard.waitForEnd()
        #expect(heard.recorder.violations == [])
        return heard
    }

    @Test("line ends are removed; empty lines are kept, and bytes are not changed")
    func content() throws {
        let text = Array("a\n\nb\r\n\r\nc\rd\n".utf8) + [0, 0xFF, 10, 0xC3] + Array("\nlast\r".utf8)
        try LogFile(path).write(bytes: text)
        let heard = try read()
        #expect(heard.hasCompleted && heard.gaps == [])
        #expect(heard.values.flatMap { $0.lines?.bytes ?? [] } == text)
        var lines: [[UInt8]] = []
        for item in heard.values { item.lines?.forEach { lines.append(Array($0)) } }
        let expected: [[UInt8]] = [
            [97], [], [98], [], [99, 13, 100], [0, 0xFF], [0xC3], Array("last\r".utf8),
        ]
        #expect(lines == expected)
        #expect(heard.values.reduce(0) { $0 + ($1.lines?.count ?? 0) } == expected.count)
    }

    @Test("a file of the kernel, which says that it is larger than it is, has no gap")
    func sizeOfPage() throws {
        let file: FilePath = "/sys/kernel/mm/transparent_hugepage/enabled"
        let heard = Lines(Signals.lines(following: file, from: .head, follow: false))
        try heard.waitForEnd()
        #expect(heard.lines.count == 1 && heard.gaps == [])
    }

    @Test("an empty file has no lines")
    func empty() throws {
        try LogFile.make(path)
        #expect(try read().values == [])
        #expect(try read(.last(3)).values == [])
    }

    @Test("reading begins where it is told to")
    func start() throws {
        try LogFile.make(path, "a\nb\n\nc\n")
        #expect(try read(.end).lines == [])
        #expect(try read(.last(0)).lines == [])
        #expect(try read(.last(1)).lines == ["c"])
        #expect(try read(.last(2)).lines == ["", "c"])
        #expect(try read(.last(4)).lines == ["a", "b", "", "c"])
        #expect(try read(.last(.max)).lines == ["a", "b", "", "c"])
        try LogFile.make(path, "d")
        #expect(try read(.last(1)).lines == ["d"])
        #expect(try read(.last(2)).lines == ["c", "d"])
    }

    @Test("the last lines of a file of many blocks, wherever they begin")
    func lastOfMany() throws {
        var random = SeededGenerator(7)
        let lines = (0..<3_000).map { number in "\(number) " + String(repeating: "x", count: random.number(0..<150)) }
        try LogFile.make(path, lines.map { $0 + "\n" }.joined())
        for count in [1, 2, 10, 400, 800, 1_000, 2_999, 3_000, 3_001] + (0..<50).map({ _ in random.number(1..<3_000) })
        {
            #expect(try read(.last(count)).lines == Array(lines.suffix(count)))
        }
    }

    @Test("a file of one long line yields one line, in pieces that end between characters")
    func oneLine() throws {
        let text = String(repeating: "aü€😀", count: 40_000)
        try LogFile.make(path, text)
        for start in [FileStart.head, .last(1), .last(5)] {
            let heard = try read(start, limit: 1_001)
            #expect(heard.lines.joined() == text)
            #expect(heard.lines.allSatisfy { $0.utf8.count <= 1_001 && $0.utf8.count > 997 || $0 == heard.lines.last })
            let pieces = heard.values.compactMap(\.lines)
            #expect(pieces.dropLast().allSatisfy(\.isContinued) && pieces.last?.isContinued == false)
            #expect(pieces.dropFirst().allSatisfy(\.isRest) && pieces.first?.isRest == false)
        }
    }

    @Test("lines of the largest size, and a little longer")
    func limits() throws {
        let texts = ["abcd\nabcde\nabcdefgh\nabcdefghi\n\n", "abcd\r\nabcde\r\nabcdefgh\r\nabcdefghi\r\n\r\n"]
        for text in texts {
            try folder.shell("rm -f log")
            try LogFile.make(path, text)
            let expected = ["abcd", "abcd", "e", "abcd", "efgh", "abcd", "efgh", "i", ""]
            #expect(try read(limit: 4).lines == expected)
            #expect(try read(limit: 1).lines == expected)
            #expect(try read(limit: .max).lines == ["abcd", "abcde", "abcdefgh", "abcdefghi", ""])
            let rests = try read(limit: 4).values.compactMap(\.lines).filter(\.isRest).map { $0.text[0] }
            #expect(rests == ["e", "efgh", "efgh", "i"])
        }
    }

    @Test("a sequence that looks like a character longer than any")
    func noCharacter() throws {
        try LogFile(path).write(bytes: [0xC3] + Array(repeating: 0xBC, count: 5) + [10])
        let heard = try read(limit: 4)
        let pieces = heard.values.compactMap { $0.lines?.bytes }
        #expect(pieces == [[0xC3, 0xBC, 0xBC, 0xBC], [0xBC, 0xBC, 10]])
    }

    @Test("larger than 4 GiB, with a hole")
    func large() throws {
        let log = try LogFile(path)
        try log.write("first\n")
        try log.truncate(to: 5 << 30)
        try log.write("\nlast\nand\n")
        #expect(try read(.last(2)).lines == ["last", "and"])
        let heard = Lines(Signals.lines(following: path, from: .end))
        try heard.waitUntilCaughtUp()
        try log.write("more\n")
        try heard.waitForLines(["more"])
        #expect(heard.lines == ["more"] && heard.gaps == [])
    }

    @Test("a hole is a line of zeros, in pieces")
    func hole() throws {
        let log = try LogFile(path)
        try log.write("first\n")
        try log.truncate(to: 1_000_006)
        try log.write("\nlast\n")
        let heard = try read()
        let bytes = heard.values.flatMap { $0.lines?.bytes ?? [] }
        #expect(bytes.count == 1_000_012 && bytes.count { $0 == 0 } == 1_000_000)
        #expect(heard.values.compactMap { $0.lines?.bytes.count }.max() == 65_536)
    }

    @Test("a file without a size")
    func proc() throws {
        let heard = Lines(Signals.lines(following: "/proc/self/status", from: .head, follow: false))
        try heard.waitForEnd()
        #expect(heard.lines.contains { $0.hasPrefix("Pid:") })
    }

    @Test("anything but a regular file is refused at once, and not opened")
    func refused() throws {
        try folder.shell("mkfifo pipe; mkdir folder; ln -s folder link; ln -s round round")
        for follow in [true, false] {
            func failure(_ path: FilePath) throws -> FileReadError? {
                let heard = Lines(Signals.lines(following: path, from: .end, follow: follow))
                try heard.waitForEnd()
                return heard.failure
            }
            #expect(try failure(folder.file("folder")) == .notRegular(folder.file("folder"), .directory))
            #expect(try failure(folder.file("link")) == .notRegular(folder.file("link"), .directory))
            #expect(try failure(folder.file("pipe")) == .notRegular(folder.file("pipe"), .pipe))
            #expect(try failure("/dev/null") == .notRegular("/dev/null", .device))
            #expect(try failure("/dev/tty") == .notRegular("/dev/tty", .device))
            #expect("\(try failure("/dev/null") as Any)".contains("read it as a stream"))
            guard case .system(_, .tooManySymbolicLinkLevels)? = try failure(folder.file("round")) else {
                Issue.record("a circle of links")
                return
            }
        }
        let missing = Lines(Signals.lines(following: path, from: .end, follow: false))
        try missing.waitForEnd()
        #expect(missing.failure == .system(operation: "open \(path)", errno: .noSuchFileOrDirectory))
    }

    @Test("a file without read permission is refused", .enabled(if: geteuid() != 0, "root may read everything"))
    func forbidden() throws {
        try LogFile.make(path, "a\n")
        try folder.shell("chmod 0 log")
        let heard = Lines(Signals.lines(following: path, from: .end))
        try heard.waitForEnd()
        #expect(heard.failure == .system(operation: "open \(path)", errno: .permissionDenied))
    }

    @Test("random texts and limits: the same lines as by simple splitting")
    func random() throws {
        var random = SeededGenerator(11)
        for _ in 0..<Stress.rounds(60, stress: 400) {
            let limit = random.number(4..<40)
            let bytes = (0..<random.number(0..<400)).map { _ in
                random.pick([10, 13, 97, 98, 0xC3, 0xBC, 0, 10]) as UInt8
            }
            let other = Signals.from([bytes]).lines(lineLimit: limit)
            let expected = Listening(other)
            try expected.waitForEnd()
            try folder.shell("rm -f log")
            try LogFile(path).write(bytes: bytes)
            #expect(try read(limit: limit).lines == expected.values, "\(bytes), limit \(limit)")
        }
    }
}
