import Glibc
import TestSupport
import Testing

@testable import Loop

@Suite("Small files")
struct SmallFileTests {
    private let folder = TapFolder()

    private func file(_ name: String = "file", maxLength: Int = 100) -> SmallFile {
        SmallFile(path: "\(folder.path)/\(name)", maxLength: maxLength)
    }

    private func names() -> [String] {
        guard let listing = opendir(folder.path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    @Test("what was written is read, and nothing else is left in the folder")
    func replaces() throws {
        #expect(try file().read() == nil)
        for length in [3, 0, 100] {
            let bytes = (0..<length).map { UInt8($0) }
            try file().replace(by: bytes, suffix: ".new")
            #expect(try file().read() == bytes)
        }
        #expect(names() == ["file"])
    }

    @Test("whoever may not read the old file may not read the new one")
    func permissions() throws {
        try file().replace(by: [1], suffix: ".new")
        for mode in [0o600, 0o640] as [mode_t] {
            #expect(chmod(file().path, mode) == 0)
            try file().replace(by: [2], suffix: ".new")
            var status = stat()
            #expect(stat(file().path, &status) == 0 && status.st_mode & 0o777 == mode)
        }
    }

    @Test("a new file that a crash left is overwritten as a whole")
    func leftover() throws {
        try file("file.new").replace(by: Array(repeating: 7, count: 90), suffix: ".x")
        try file().replace(by: [1], suffix: ".new")
        #expect(try file().read() == [1])
        #expect(names() == ["file"])
    }

    @Test("what is too long is neither read nor written, and the bound is said")
    func tooLong() throws {
        try file(maxLength: 101).replace(by: Array(repeating: 1, count: 101), suffix: ".new")
        let reading = #expect(throws: SmallFileError.self) { try file().read() }
        #expect(reading?.description == "cannot read \(folder.path)/file: it is longer than 100 bytes")
        #expect(throws: SmallFileError("write", "\(folder.path)/file", .tooLong(limit: 100))) {
            try file().replace(by: Array(repeating: 2, count: 101), suffix: ".new")
        }
        let large = SmallFileError("read", "x", .tooLong(limit: 65_536))
        #expect(large.cause == "it is longer than 64 KiB")
        // Nothing waits for the end of a file without one.
        #expect(throws: SmallFileError("read", "/dev/zero", .notRegular)) {
            try SmallFile(path: "/dev/zero", maxLength: 100).read()
        }
    }

    @Test("a pipe or a folder in its place blocks nothing, and keeps its place")
    func otherKinds() throws {
        let pipe = file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let other = file("folder")
        #expect(mkdir(other.path, 0o700) == 0)
        for file in [pipe, other] {
            #expect(throws: SmallFileError("read", file.path, .notRegular)) { try file.read() }
            #expect(throws: SmallFileError("replace", file.path, .notRegular)) {
                try file.replace(by: [1], suffix: ".new")
            }
        }
        // Where the new file would be: opening a pipe without a reader for writing fails.
        #expect(throws: SmallFileError("write", pipe.path, .system(ENXIO))) {
            try file("pi").replace(by: [1], suffix: "pe")
        }
        #expect(names() == ["folder", "pipe"])
    }

    @Test("a link stays one, and the file that it leads to is replaced")
    func link() throws {
        try file("real").replace(by: [1], suffix: ".new")
        #expect(symlink("real", file("link").path) == 0)
        try file("link").replace(by: [2], suffix: ".new")
        #expect(try file("real").read() == [2])
        var status = stat()
        #expect(lstat(file("link").path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(names() == ["link", "real"])
    }

    @Test("a link whose file does not exist yet stays one, and the file is made", arguments: ["absolute", "relative"])
    func danglingLink(kind: String) throws {
        #expect(mkdir(file("folder").path, 0o700) == 0)
        let link = file("folder/link")
        #expect(symlink(kind == "absolute" ? file("next").path : "../next", link.path) == 0)
        #expect(symlink("real", file("next").path) == 0)
        try link.replace(by: [2], suffix: ".new")
        #expect(try file("real").read() == [2])
        #expect(names() == ["folder", "next", "real"])
        #expect(try link.read() == [2])
    }

    @Test("links in a circle are an error, and stay")
    func circle() {
        #expect(symlink("b", file("a").path) == 0 && symlink("a", file("b").path) == 0)
        #expect(throws: SmallFileError("replace", file("a").path, .system(ELOOP))) {
            try file("a").replace(by: [1], suffix: ".new")
        }
        #expect(names() == ["a", "b"])
    }

    @Test("a folder that may be written but not read is no error", .enabled(if: geteuid() != 0, "root may read all"))
    func unreadableFolder() throws {
        #expect(mkdir(file("folder").path, 0o300) == 0)
        try file("folder/file").replace(by: [1], suffix: ".new")
        #expect(try file("folder/file").read() == [1])
    }

    @Test("without its folder, the error says which file")
    func noFolder() {
        let failure = #expect(throws: SmallFileError.self) {
            try file("none/file").replace(by: [1], suffix: ".new")
        }
        #expect(
            failure?.description == "cannot write \(folder.path)/none/file.new: No such file or directory (error 2)"
        )
    }
}
