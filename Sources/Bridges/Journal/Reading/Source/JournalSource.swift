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
}
