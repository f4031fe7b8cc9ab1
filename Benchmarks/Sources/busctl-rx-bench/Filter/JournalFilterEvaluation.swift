import Bus
import Dispatch
import Filter
import Glibc
import JournalBridge
import Synchronization

/// A filter evaluated on every entry of a journal, without the help of the index. It is compared with a condition that
/// fetches the same fields and compares them by hand.
struct JournalFilterEvaluation {
    static let expression = #"priority <= err && unit == "nginx.service" && message =~ "time.?out""#

    let directory: String
    let entries: Int

    func contest(_ settings: Settings) throws -> Contest {
        let expected = try byHand()
        return Contest(
            name: "filter, on a journal's entries",
            // The whole journal in every round, whatever number of events the settings give.
            events: settings.isQuick ? entries * 8 : entries,
            expected: { _ in expected },
            contenders: [.ours { _ in try byFilter() }, .floor("fields fetched") { _ in try byHand() }]
        )
    }

    private func byFilter() throws -> UInt64 {
        let schema = JournalSchema()
        let filter = try CompiledFilter(Self.expression, schema: schema)
        return try scan(JournalQuery(schema: schema) { filter.matches($0) })
    }

    private func byHand() throws -> UInt64 {
        let schema = JournalSchema()
        let ids = try ["priority", "unit", "message"].map { name in
            guard let field = schema.field(named: name) else { throw Complaint("there is no field \(name)") }
            return field.id
        }
        return try scan(
            JournalQuery(schema: schema) { record in
                guard case .int(...3) = record.value(of: ids[0]), case .text(let unit) = record.value(of: ids[1]),
                    case .text(let message) = record.value(of: ids[2])
                else { return false }
                return unit.elementsEqual(Self.unit.utf8) && Self.isTimeout(message)
            }
        )
    }

    private static let unit = "nginx.service"

    private static func isTimeout(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text[...]
        // Few entries get this far, so this need not be faster.
        while let letter = rest.firstIndex(of: UInt8(ascii: "t")) {
            rest = rest[letter...]
            if rest.starts(with: "time".utf8) {
                let behind = rest.dropFirst(4)
                if behind.starts(with: "out".utf8) || behind.dropFirst().starts(with: "out".utf8) { return true }
            }
            rest = rest.dropFirst()
        }
        return false
    }

    /// How many entries the query selects.
    private func scan(_ query: JournalQuery) throws -> UInt64 {
        let found = Findings()
        let done = DispatchSemaphore(value: 0)
        let subscription = Signals.journal(.directory(directory), from: .head, follow: false, query: query).subscribe(
            next: { item in if item.entry != nil { found.add() } },
            failed: { error in
                found.fail("\(error)")
                done.signal()
            },
            completed: { done.signal() }
        )
        done.wait()
        subscription.dispose()
        if let failure = found.failure { throw Complaint(failure) }
        return found.count
    }
}

/// The result from the reading thread.
private final class Findings: Sendable {
    private let state = Mutex<(count: UInt64, failure: String?)>((0, nil))
    var count: UInt64 { state.withLock { $0.count } }
    var failure: String? { state.withLock { $0.failure } }
    func add() { state.withLock { $0.count += 1 } }
    func fail(_ text: String) { state.withLock { $0.failure = text } }
}
