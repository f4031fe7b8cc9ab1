/// Which journal is read.
public enum JournalSource: Sendable, Hashable {
    /// The journal of this machine: its system and user journals, kept and volatile, without other machines' and
    /// without namespaces.
    case system
    /// These files. A damaged one gives up what can still be read of it.
    ///
    /// Following keeps to the names, as `tail -F` does: when a file is rotated away, what is left in it is read first
    /// and then the file that stands in its place. (`journalctl --file` falls silent at the first rotation.)
    case files([String])
    /// The journal files in this directory and in its subdirectories that are named after a machine.
    case directory(String)
    /// The journal of a namespace of this machine, as `LogNamespace=` in a unit names it.
    case namespace(String)
    /// The journals of all machines under `/var/log/journal` and `/run/log/journal`, with those that came from elsewhere
    /// (`/var/log/journal/remote`); of a namespace, where one is given.
    case machines(namespace: String? = nil)
    /// The same of a system with this root directory: of a container, an image that is mounted, a disk.
    case root(String)
    /// Of another journal, the files of these kinds. Files that are named are read whatever they are.
    indirect case kinds(JournalKinds, of: JournalSource)
}
