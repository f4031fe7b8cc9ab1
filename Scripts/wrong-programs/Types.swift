import Bus
import Timers

struct Entry: Sendable {
    var unit: String
    var priority: Int
    var text: String
}

struct Rules: Sendable {
    var within: Duration
    var count: Int
    var seconds: Double
}

struct Plain: Sendable {}

enum ReadError: Error { case ended }

typealias Entries = AnySignal<Entry, Never>
typealias Readings = AnySignal<Entry, ReadError>
