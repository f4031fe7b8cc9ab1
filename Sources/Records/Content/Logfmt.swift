import JSONScan

/// Lines of the form `level=info msg="took too long" status=504`.
public enum Logfmt {
    /// The line's content, and its time if it has one; `nil` for a line without any `name=value`.
    ///
    /// A value in quotes may have the escapes `\"`, `\\`, `\n`, `\r` and `\t`. A value without quotes that is a
    /// number as in JSON is a number. A name without `=` is true. Message, severity and time are found as in a
    /// ``JSONObject``.
    public static func read(_ line: UnsafeRawBufferPointer) -> (content: RecordFields, time: RecordTime?)? {
        var reader = Reader(line: line)
        var builder = FieldStorage.Builder()
        var severity: Severity?
        var time: RecordTime?
        // The ranks of the names that these stand under.
        var (messageRank, severityRank, timeRank) = (Int.max, Int.max, Int.max)
        var hasValue = false
        while let (name, value) = reader.next() {
            switch value {
            case .none:
                builder.append(name, .bool(true))
                continue
            case .bare(let value) where JSONNumber.isOne(value): builder.append(name, .json(Array(value)))
            case .bare(let value): builder.append(name, text: value)
            case .quoted(let value): builder.append(name, text: value)
            }
            hasValue = true
            let plain: [UInt8] =
                switch value {
                case .none: []
                case .bare(let value): Array(value)
                case .quoted(let value): value
                }
            if let rank = LogNames.message.rank(of: name), rank < messageRank {
                builder.setMessage(plain)
                messageRank = rank
            } else if let rank = LogNames.severity.rank(of: name), rank < severityRank {
                guard let found = Severity(logged: plain) else { continue }
                (severity, severityRank) = (found, rank)
            } else if let rank = LogNames.time.rank(of: name), rank < timeRank {
                let found = plain.withUnsafeBytes { RecordTime.read($0) ?? RecordTime.read(number: $0) }
                if found != nil { (time, timeRank) = (found, rank) }
            }
        }
        guard hasValue, reader.isSound else { return nil }
        return (RecordFields(builder, severity: severity), time)
    }

    private enum Value {
        case none
        case bare(UnsafeRawBufferPointer)
        case quoted([UInt8])
    }

    private struct Reader {
        let line: UnsafeRawBufferPointer
        var position = 0
        /// Whether every quote was closed.
        var isSound = true

        mutating func next() -> (name: UnsafeRawBufferPointer, value: Value)? {
            while position < line.count, line[position] <= 0x20 { position += 1 }
            let start = position
            while position < line.count, line[position] > 0x20, line[position] != UInt8(ascii: "="),
                line[position] != UInt8(ascii: "\"")
            {
                position += 1
            }
            guard position > start else {
                isSound = isSound && position == line.count
                return nil
            }
            let name = UnsafeRawBufferPointer(rebasing: line[start..<position])
            guard position < line.count, line[position] == UInt8(ascii: "=") else { return (name, .none) }
            position += 1
            if position < line.count, line[position] == UInt8(ascii: "\"") { return (name, .quoted(quoted())) }
            let begin = position
            while position < line.count, line[position] > 0x20 { position += 1 }
            return (name, .bare(UnsafeRawBufferPointer(rebasing: line[begin..<position])))
        }

        private mutating func quoted() -> [UInt8] {
            position += 1
            var value: [UInt8] = []
            while position < line.count {
                let byte = line[position]
                position += 1
                if byte == UInt8(ascii: "\"") { return value }
                guard byte == UInt8(ascii: "\\"), position < line.count else {
                    value.append(byte)
                    continue
                }
                let letter = line[position]
                position += 1
                switch letter {
                case UInt8(ascii: "n"): value.append(0x0A)
                case UInt8(ascii: "r"): value.append(0x0D)
                case UInt8(ascii: "t"): value.append(0x09)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): value.append(letter)
                default: value += [byte, letter]
                }
            }
            isSound = false
            return value
        }
    }
}
