import Bus
import DBusBridge
import FilterBridge
import Records

/// Numbers the messages of a bus and asks the filter: before a message's arguments are read, if the filter reads none of them.
final class DBusSieve: Sendable {
    private struct State: Sendable {
        var number: UInt64 = 0
        /// The last message. It comes once for each match rule that means it, in a row.
        var last: (cookie: UInt64, sender: String?)?
        /// The filter's answer for it, if it was asked.
        var isSelected: Bool?

        func isLast(_ message: DBusMessage) -> Bool {
            guard let last else { return false }
            return last.cookie == message.cookie && last.sender == message.sender
        }
    }

    /// Fields that are not in a header.
    private static let body = ["args", "message", "unit"]

    private let request: SourceRequest
    private let isWanted: @Sendable (Record) -> Bool
    private let readsBody: Bool
    private let state = Lock(State())

    init(_ request: SourceRequest) {
        self.request = request
        isWanted = request.selects
        readsBody = request.filter.map { filter in Self.body.contains { filter.reads($0) } } ?? true
    }

    /// Another connection begins, with numbers of its own.
    func begin() {
        state.withLock { ($0.last, $0.isSelected) = (nil, nil) }
    }

    /// Whether a message should be heard, by its header.
    func admits(_ header: DBusMessage, senderNames: @autoclosure () -> [String]) -> Bool {
        let known = state.withLock { state -> Bool? in
            if state.isLast(header) { return state.isSelected ?? true }
            state.number += 1
            (state.last, state.isSelected) = ((header.cookie, header.sender), nil)
            return readsBody ? true : nil
        }
        if let known { return known }
        let isSelected = isWanted(record(of: header, senderNames()))
        state.withLock { $0.isSelected = isSelected }
        return isSelected
    }

    /// A message that was admitted as a record, if the filter selects it.
    func select(_ message: DBusMessage, senderNames: [String]) -> Record? {
        let record = record(of: message, senderNames)
        // Now and then it comes on another thread, and the next message has passed before it.
        let isSelected = state.withLock { $0.isLast(message) ? $0.isSelected : nil }
        return isSelected ?? isWanted(record) ? record : nil
    }

    /// The number of the last message.
    var number: UInt64 { state.withLock { $0.number } }

    private func record(of message: DBusMessage, _ senderNames: [String]) -> Record {
        var record = DBusContent(message, senderNames: senderNames).record(from: request.name, number: number)
        record.time = record.time.shifted(by: request.shift)
        return record
    }
}
