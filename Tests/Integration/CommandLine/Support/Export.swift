import Foundation

/// Entries in the journal export format.
enum Export {
    static func messages(_ messages: [String], identifier: String = "test") -> Data {
        SyntheticJournal.export(
            messages.map { [("MESSAGE", Array($0.utf8)), ("SYSLOG_IDENTIFIER", Array(identifier.utf8))] }
        )
    }

    static func numbers(_ range: Range<Int>) -> Data { messages(range.map { "number \($0)" }) }

    static func lines(_ range: some Sequence<Int>) -> String { range.map { "number \($0)\n" }.joined() }
}
