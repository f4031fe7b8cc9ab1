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

    private struct Kept {
        let columns: ValueColumns
        let path: String
        let identity: Inode

        var isGone: Bool { FileStatus(at: path)?.identity != identity }
    }

    /// More is not kept, in bytes.
    private let maxSize: Int
    private let files = Mutex<[Key: Kept]>([:])

    package init(maxSize: Int = 40 << 20) {
        self.maxSize = maxSize
    }

    subscript(file: JournalFile) -> ValueColumns? { files.withLock { $0[Key(file)]?.columns } }

    /// Keeps the columns if there is room for them. Those of files that are gone make room.
    func keep(_ columns: ValueColumns, of file: JournalFile) {
        files.withLock { files in
            let key = Key(file)
            func hasRoom() -> Bool {
                files.reduce(columns.size) { $1.key == key ? $0 : $0 + $1.value.columns.size } <= maxSize
            }
            if !hasRoom() { files = files.filter { !$0.value.isGone } }
            if hasRoom() { files[key] = Kept(columns: columns, path: file.path, identity: file.identity) }
        }
    }
}
