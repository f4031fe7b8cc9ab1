/// Why a stream of entries ended before its end.
public enum JournalExportError: Error, Sendable {
    /// It could not be opened or read.
    case reading(JournalError)
    /// It does not keep to the journal export format.
    case format(ExportFormatError)
}

extension JournalExportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .reading(let error): error.description
        case .format(let error): error.description
        }
    }
}
