/// The namespaces of this machine that have a journal.
package enum JournalNamespaces {
    /// Whether a name stands for a namespace, as in journalctl: `*` for all and the default one, `+NAME` for one and the
    /// default one.
    ///
    /// - Parameters:
    ///   - name: as it is given; `nil` for the default one.
    ///   - namespace: `nil` is the default one.
    static func does(_ name: String?, mean namespace: String?) -> Bool {
        guard let name, name != "*" else { return name != nil || namespace == nil }
        return name.first == "+" ? namespace.map { $0 == name.dropFirst() } ?? true : namespace == name
    }

    /// Their names. A folder that cannot be read adds none.
    package static var all: Set<String> {
        let start = "\(MachineID.text ?? "")."
        let names = JournalFolders.roots.flatMap { JournalFolders.names(in: $0).names }
        return Set(names.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) })
    }
}
