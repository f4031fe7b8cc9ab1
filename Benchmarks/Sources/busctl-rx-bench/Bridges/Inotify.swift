import Bus
import Dispatch
import FileBridge
import Glibc
import SystemPackage

extension Benchmark {
    /// Changes in a directory, compared with a loop that reads them directly.
    static let inotify = Benchmark(name: "inotify") { settings, report in
        report.add(try changes.run(settings), bounds: [Bound(name: "inotify", limit: .aboveFloor(atMost: 100))])
    }

    private static var changes: Contest {
        Contest(
            name: "inotify",
            events: 160_000,
            expected: { UInt64($0 / batch * batch) },
            contenders: [
                .ours { count in
                    try inFolder { folder, touch in
                        let heard = DispatchSemaphore(value: 0)
                        return Tally.of { tally in
                            let countdown = Countdown(from: batch) { heard.signal() }
                            let subscription = Signals.changes(in: folder, for: [.attributes]).subscribe(
                                next: { _ in
                                    tally.add(1)
                                    countdown.count()
                                },
                                failed: { _ in }
                            )
                            for _ in 0..<(count / batch) {
                                touch()
                                heard.wait()
                            }
                            subscription.dispose()
                        }
                    }
                },
                .floor("inotify loop") { count in
                    try inFolder { folder, touch in
                        let descriptor = inotify_init()
                        guard descriptor >= 0 else { throw Complaint("no inotify, errno \(errno)") }
                        defer { close(descriptor) }
                        let watch = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(IN_ATTRIB)) }
                        guard watch >= 0 else { throw Complaint("no watch, errno \(errno)") }
                        return Tally.of { tally in
                            // On another thread than the one that changes the files, as for every reader of changes.
                            let (reader, heard) = (ThreadScheduler(name: "bare"), DispatchSemaphore(value: 0))
                            reader.schedule {
                                for _ in 0..<(count / batch) {
                                    read(batch, from: descriptor, tally)
                                    heard.signal()
                                }
                            }
                            for _ in 0..<(count / batch) {
                                touch()
                                heard.wait()
                            }
                        }
                    }
                },
            ]
        )
    }

    /// The number of changes in a batch, fewer than the kernel's queue holds.
    private static let batch = 8_000

    private static func read(_ count: Int, from descriptor: CInt, _ tally: Tally) {
        var left = count
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
        defer { buffer.deallocate() }
        while left > 0 {
            let size = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            var offset = 0
            while offset < size {
                // wd, mask, cookie, the name's length
                offset += 16 + Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                tally.add(1)
                left -= 1
            }
        }
    }

    /// A folder with two files. `touch` changes them alternately, because the kernel merges two equal consecutive
    /// changes.
    private static func inFolder(_ body: (FilePath, _ touch: () -> Void) throws -> UInt64) throws -> UInt64 {
        var template = Array("/tmp/bus-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Complaint("no folder, errno \(errno)") }
        let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } ?? "/tmp" }
        let files = ["one", "two"].map { folder.appending($0) }
        for file in files { close(file.withPlatformString { open($0, O_CREAT | O_CLOEXEC, 0o600) }) }
        defer {
            for file in files { _ = file.withPlatformString { unlink($0) } }
            _ = folder.withPlatformString { rmdir($0) }
        }
        return try body(folder) {
            for number in 0..<batch { _ = files[number & 1].withPlatformString { chmod($0, 0o600) } }
        }
    }
}
