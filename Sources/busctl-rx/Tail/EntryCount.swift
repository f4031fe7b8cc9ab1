import JournalBridge
import Records

/// How many entries of history to show: `-n 20`, `-n all`.
enum EntryCount: Equatable {
    case last(Int)
    case all

    /// How many when following by default.
    static let history = 10
    /// How many for `--pager-end` by default: a pager holds what it shows.
    static let atPagerEnd = EntryCount.last(1000)

    /// The place in a journal where reading begins.
    ///
    /// - Parameters:
    ///   - lines: as it was typed.
    ///   - since: the first time that is wanted, in microseconds since 1970.
    ///   - follow: whether to go on with new entries.
    static func start(_ lines: EntryCount?, since: Int64?, follow: Bool) -> JournalStart {
        let since = since.map { JournalStart.time(RecordTime(microseconds: $0)) }
        return switch lines {
        case .last(let count): .tail(count)
        case .all: since ?? .head
        case nil: since ?? (follow ? .tail(history) : .head)
        }
    }

    /// Whether the argument behind `-n` belongs to it: a number, or a single word, which is no filter of a journal. As a wrong
    /// number it gets the helpful message. Without an argument it is 10, as in journalctl.
    static func isMeant(_ argument: String) -> Bool { Int(argument) != nil || ChoosingOptions.isWord(argument) }

    init(argument: String) throws {
        if argument == "all" {
            self = .all
        } else if let count = Int(argument), count >= 0 {
            self = .last(count)
        } else {
            throw BadValue(description: "write a whole number, as in -n 20, or -n all for every entry there is")
        }
    }
}
