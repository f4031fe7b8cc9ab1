import JSONScan

extension TapEvent {
    enum Member: Int, CaseIterable {
        case topic, scope, origin, type, value, text, truncated, error, kind, sequence, time, uptime

        static let names = allCases.map { Array("\($0)".utf8) }
        /// The members that a record has as fields, in order, and the fields' names.
        static let fields: [(member: Member, name: StaticString)] = [
            (.topic, "topic"), (.scope, "scope"), (.origin, "origin"), (.type, "type"), (.value, "value"),
            (.text, "value"), (.truncated, "truncated"), (.error, "error"),
        ]
    }

    /// The members of a JSON object that an event has.
    final class Members: Sendable {
        let text: [UInt8]
        /// The place of each member's value in the text.
        private let places: [Range<Int>?]

        /// Nil for a text that is no object.
        init?(_ text: [UInt8]) {
            var places = [Range<Int>?](repeating: nil, count: Member.allCases.count)
            let isObject = text.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return false }
                var members = JSONMembers(bytes)
                while let member = members.next() {
                    guard let index = Member.names.firstIndex(where: { member.name.elementsEqual($0) }),
                        let start = member.value.baseAddress.map({ $0 - base })
                    else { continue }
                    var end = start + member.value.count
                    while end > start, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
                    places[index] = start..<end
                }
                return members.isComplete
            }
            guard isObject else { return nil }
            self.text = text
            self.places = places
        }

        func place(of member: Member) -> Range<Int>? { places[member.rawValue] }
    }

    /// When an event was posted, and its number.
    struct Stamp {
        let sequence: UInt64
        let time: Int64
        let uptime: Int64
    }
}
