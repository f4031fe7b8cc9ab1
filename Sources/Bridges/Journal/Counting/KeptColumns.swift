import Synchronization

/// The columns of files that are not written any more, kept from one question to the next; of each file those that the last question
/// read.
package final class KeptColumns: Sendable {
    private struct Key: Hashable {
        let file: ID128
        let count: Int
        let time: UInt64

        init(_ file: JournalFile) {
            self.file = file.header.fileID
            count = file.count
            time = file.header.tailRealtime
        }
    }

    /// More is not kept, in bytes.
    private static let maxSize = 40 << 20

    private let files = Mutex<[Key: ValueColumns]>([:])

    package init() {}

    subscript(file: JournalFile) -> ValueColumns? { files.withLock { $0[Key(file)] } }

    func keep(_ columns: ValueColumns, of file: JournalFile) {
        files.withLock { files in
            let others = files.reduce(0) { $1.key == Key(file) ? $0 : $0 + $1.value.size }
            if others + columns.size <= Self.maxSize { files[Key(file)] = columns }
        }
    }
}
