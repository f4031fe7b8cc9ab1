/// The journal to read.
public enum JournalSource: Sendable, Hashable {
    /// The journal of this machine: its system and user journals, kept and volatile, without other machines' and
    /// without namespaces.
    case system
    /// These files. Of a damaged file, everything that can still be read is read.
    ///
    /// Following keeps to the names, as `tail -F` does: when a file is rotated away, its rest is read first and then
    /// the file that has replaced it. (`journalctl --file` falls silent at the first rotation.)
    case files([String])
    /// The journal files in this directory and in its subdirectories that are named after a machine.
    case directory(String)
    /// The journal of a namespace of this machine, as `LogNamespace=` in a unit names it; with `*`, of all namespaces and
    /// the default one, and with `+NAME`, of this one and the default one.
    case namespace(String)
    /// The journals of all machines under `/var/log/journal` and `/run/log/journal`, including those received from
    /// elsewhere (`/var/log/journal/remote`); of a namespace, where one is given.
    case machines(namespace: String? = nil)
    /// The same of a system with this root directory: of a container, an image that is mounted, a disk.
    case root(String)
    /// Of another journal, the files of these kinds. Files that are given by name are read whatever their kind.
    indirect case kinds(JournalKinds, of: JournalSource)
}
