/// The namespaces of this machine that have a journal.
package enum JournalNamespaces {
    /// Their names. A folder that cannot be read adds none.
    package static var all: Set<String> {
        let start = "\(MachineID.text ?? "")."
        let names = JournalFolders.roots.flatMap { JournalFolders.names(in: $0) ?? [] }
        return Set(names.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) })
    }
}
