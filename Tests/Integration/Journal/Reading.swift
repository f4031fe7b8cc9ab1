import Filter
import Foundation
import JournalBridge
import TestSupport
import Records

/// The entries and gaps read from a journal.
struct Reading {
    var entries: [JournalEntry] = []
    var gaps: [JournalGap] = []

    /// The last entry's message. Use this to check each entry, because ``messages`` goes through all of them.
    var lastMessage: String? { entries.last?["MESSAGE"] }

    var messages: [String] { entries.compactMap { $0["MESSAGE"] } }

    /// Reads to the present end.
    static func all(_ source: JournalSource, from start: JournalStart = .head, query: JournalQuery = .everything) throws
        -> Reading
    {
        let reader = try JournalReader(source, from: start, follow: false, query: query)
        var reading = Reading()
        try reading.take(from: reader) { _ in false }
        return reading
    }

    /// Reads on until `isEnough`, or to the end if the reader does not follow.
    mutating func take(from reader: JournalReader, until isEnough: (Reading) -> Bool) throws {
        while !isEnough(self) {
            switch try reader.advance() {
            case .entry: if let entry = reader.entry() { entries.append(entry) }
            case .gap(let gap): gaps.append(gap)
            case .busy: break
            case .caughtUp: try reader.wait(until: -1, atMost: 1000)
            case .end: return
            }
            guard !RunLimit.isOver else {
                throw Command.Failure(description: "the run is over, with \(entries.count) entries and \(gaps) read")
            }
        }
    }

    /// Reads what is available now.
    mutating func drain(_ reader: JournalReader) throws {
        while true {
            switch try reader.advance() {
            case .entry: if let entry = reader.entry() { entries.append(entry) }
            case .gap(let gap): gaps.append(gap)
            case .busy: break
            case .caughtUp, .end: return
            }
        }
    }

    /// Reads to the end and formats the result.
    static func text(_ source: JournalSource, _ format: JournalFormat) throws -> String {
        String(decoding: try bytes(source, JournalFormatter(format)), as: UTF8.self)
    }

    static func bytes(_ source: JournalSource, _ formatter: JournalFormatter) throws -> [UInt8] {
        let reader = try JournalReader(source, from: .head, follow: false)
        var formatter = formatter
        var output = OutputBuffer()
        while true {
            switch try reader.advance() {
            case .entry: _ = reader.format(with: &formatter, into: &output)
            case .gap, .busy, .caughtUp: break
            case .end: return output.withBytes { Array($0) }
            }
        }
    }
}

extension JournalQuery {
    static func filter(_ expression: String) throws -> JournalQuery {
        let schema = JournalSchema()
        return JournalQuery(try CompiledFilter(expression, schema: schema), schema: schema)
    }
}

/// The messages of a ``GrowingJournal``'s entries.
func numbers(_ ranges: ClosedRange<Int>...) -> [String] { ranges.flatMap { $0.map { "\($0)" } } }
