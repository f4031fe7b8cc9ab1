import Glibc
import Synchronization

@testable import Zones

/// A test's own folder of zones, with a local file, a `TZ` and a clock that stands still until it is moved.
final class ZoneFolder: Sendable {
    let path: String
    let variable = Mutex<String?>(nil)
    let clock = Atomic<Int64>(0)

    var localFile: String { "\(path)/localtime" }

    init() throws {
        var template = Array("/tmp/zones-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ZoneFileError(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                unlinkat(
                    dirfd(folder),
                    withUnsafeBytes(of: &entry.pointee.d_name) { name in
                        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                    },
                    0
                )
            }
            closedir(folder)
        }
        rmdir(path)
    }

    var database: ZoneDatabase {
        ZoneDatabase(folder: path, localFile: localFile, variable: { [self] in variable.withLock { $0 } })
    }

    func cache(maxEntries: Int = 16) -> ZoneCache {
        ZoneCache(database, maxEntries: maxEntries) { [self] in clock.load(ordering: .relaxed) }
    }

    func pass(seconds: Double) { clock.add(Int64(seconds * 1e9), ordering: .relaxed) }

    /// Writes a new file next to the old one and renames it, like an update of tzdata.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = open("\(path)/new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ZoneFileError(code: errno) }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, rename("\(path)/new", "\(path)/\(name)") == 0 else {
            throw ZoneFileError(code: errno)
        }
    }

    /// A zone whose clocks never change.
    func write(_ name: String, hours: Int32) throws {
        try write(name, ZoneFileBytes(types: [(hours * 3600, false, 4)]).bytes)
    }
}

extension ZoneCache {
    func hours(_ name: String) -> Int64? {
        Array(name.utf8).withUnsafeBytes { zone(named: $0) }.map { $0.offset(at: 0) / 3600 }
    }
}
