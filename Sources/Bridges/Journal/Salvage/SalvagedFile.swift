import CLinux
import Glibc

/// What is left of a damaged journal file, as a copy that libsystemd can read: it has a new index, of the entries that
/// were found by going through the file. The damaged file is not touched.
///
/// The copy is removed with its owner. It cannot be removed earlier: libsystemd refuses files without a name.
final class SalvagedFile {
    /// How many entries were found.
    let entryCount: Int
    let path: String

    private init(_ path: String, entryCount: Int) {
        self.path = path
        self.entryCount = entryCount
        TemporaryCopies.add(path)
    }

    deinit {
        TemporaryCopies.remove(path)
    }

    /// - Throws: if there is no room for a copy, or the file cannot be read.
    static func salvage(_ path: String, _ header: JournalFileHeader) throws(JournalError) -> SalvagedFile {
        let (descriptor, copy) = try copied(path, size: Int(header.fileSize))
        defer { close(descriptor) }
        do throws(JournalError) {
            guard let file = MappedFile(descriptor, size: Int(header.fileSize)) else {
                throw JournalError("look through the damaged journal file", path, errno: errno)
            }
            let objects = JournalObjects(file, header)
            let entries = MappedFile.guarded { objects.allEntries() }
            try index(entries, objects, descriptor, path, header)
            return SalvagedFile(copy, entryCount: entries.count)
        } catch {
            unlink(copy)
            throw error
        }
    }

    /// Appends an array of the entries to the copy and makes it the file's index.
    private static func index(
        _ entries: [Int],
        _ objects: JournalObjects,
        _ copy: Int32,
        _ path: String,
        _ header: JournalFileHeader
    ) throws(JournalError) {
        let offset = (Int(header.fileSize) + 7) & ~7
        var array: [UInt8] = [JournalObjects.arrayType, 0, 0, 0, 0, 0, 0, 0]
        append(UInt64(JournalObjects.itemsOfArray + entries.count * objects.arrayItem), to: &array)
        append(UInt64(0), to: &array)
        for entry in entries {
            if objects.isCompact { append(UInt32(entry), to: &array) } else { append(UInt64(entry), to: &array) }
        }
        while array.count % 8 != 0 { array.append(0) }
        var fields: [(offset: Int, value: UInt64)] = [
            (96, UInt64(offset + array.count) - header.headerSize), (136, UInt64(offset)), (152, UInt64(entries.count)),
            (176, UInt64(entries.isEmpty ? 0 : offset)),
        ]
        if let first = entries.first, let last = entries.last {
            let file = objects.file
            fields += [
                (160, file.number(last + 16)), (168, file.number(first + 16)), (184, file.number(first + 24)),
                (192, file.number(last + 24)),
                (200, file.number(last + 32)),
            ]
        }
        if header.headerSize >= 264 { fields.append((256, UInt64(offset) | UInt64(entries.count) << 32)) }
        try write(array, at: offset, copy, path)
        for (offset, value) in fields {
            var bytes: [UInt8] = []
            append(value, to: &bytes)
            try write(bytes, at: offset, copy, path)
        }
        // Nobody is writing to it, whatever the header says.
        try write([0], at: 16, copy, path)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func write(_ bytes: [UInt8], at offset: Int, _ descriptor: Int32, _ path: String)
        throws(JournalError)
    {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw JournalError("write to a copy of the damaged journal file", path, errno: errno)
            }
            done += count
        }
    }

    /// A copy where temporary files belong.
    private static func copied(_ path: String, size: Int) throws(JournalError) -> (descriptor: Int32, path: String) {
        let action = "copy the damaged journal file"
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw JournalError(action, path, errno: errno) }
        defer { close(source) }
        var code: Int32 = ENOENT
        for folder in [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"].compactMap({ $0 }) {
            var name = Array("\(folder)/busctl-rx-XXXXXX".utf8CString)
            let copy = clinux_make_temporary(&name)
            if copy < 0 {
                code = errno
                continue
            }
            if let failed = fill(copy, from: source, size: size) {
                code = failed
                unlink(name)
                close(copy)
                continue
            }
            return (copy, String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        throw JournalError(
            action,
            path,
            advice: "It takes \(size >> 20) MiB in TMPDIR, /var/tmp or /tmp to read what is left of it.",
            errno: code
        )
    }

    /// `nil`, or what went wrong.
    private static func fill(_ copy: Int32, from source: Int32, size: Int) -> Int32? {
        var remaining = size
        while remaining > 0 {
            let count = sendfile(copy, source, nil, min(remaining, 1 << 30))
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno }
            // It has become shorter since it was looked at.
            if count == 0 { return ftruncate(copy, off_t(size)) == 0 ? nil : errno }
            remaining -= count
        }
        return nil
    }
}
