import Timers
import Zones

/// A time of a record: microseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct RecordTime: Sendable, Hashable, Comparable {
    /// Negative for a time before 1970.
    public var microseconds: Int64

    /// - Parameter microseconds: since 1970, negative for a time before.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The time on the system's clock.
    public static var now: RecordTime { RecordTime(microseconds: SystemClock.wall.now.nanoseconds / 1000) }

    public static func < (left: RecordTime, right: RecordTime) -> Bool { left.microseconds < right.microseconds }

    /// Whole microseconds later; the farthest time where there is none.
    public func advanced(by duration: Duration) -> RecordTime {
        let (seconds, attoseconds) = duration.components
        let (product, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if isBeyond { return RecordTime(microseconds: duration < .zero ? .min : .max) }
        return shifted(by: product).shifted(by: attoseconds / 1_000_000_000_000)
    }

    /// The same for microseconds, which may be negative.
    package func shifted(by microseconds: Int64) -> RecordTime {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        return RecordTime(microseconds: overflow ? (microseconds < 0 ? .min : .max) : sum)
    }

    /// Negative for an earlier time.
    public func duration(to other: RecordTime) -> Duration {
        .microseconds(other.microseconds) - .microseconds(microseconds)
    }

    /// A time in RFC 3339, such as `2026-11-23T21:07:26.5Z`. A blank may replace the `T`, a comma may precede the
    /// fraction, and the offset may lack its colon. Nothing may follow it. `nil` for anything else, including a time
    /// without an offset.
    public init?(_ text: some StringProtocol) {
        guard let time = Array(text.utf8).withUnsafeBytes({ Self.read($0) }) else { return nil }
        self = time
    }

    /// The same for a text as bytes.
    package static func read(_ text: UnsafeRawBufferPointer) -> RecordTime? {
        guard let (time, length) = begin(of: text), length == text.count else { return nil }
        return time
    }

    /// The same for a text that begins with a time, and the number of its bytes.
    package static func begin(of text: UnsafeRawBufferPointer) -> (time: RecordTime, length: Int)? {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        guard date.exists else { return nil }
        var microseconds: Int64 = 0
        if reader.take(".") || reader.take(",") {
            guard let fraction = reader.fraction(digits: 6) else { return nil }
            microseconds = fraction
        }
        guard let offset = reader.offset() else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        return (RecordTime(microseconds: seconds * 1_000_000 + microseconds), reader.position)
    }

    /// A number of seconds, milliseconds, microseconds or nanoseconds since 1970, written as in JSON; the unit is the
    /// one that makes a time between 1973 and 5138. `nil` for anything else.
    package static func read(number text: UnsafeRawBufferPointer) -> RecordTime? {
        // A double has 53 bits: nanoseconds of today would be rounded to a quarter of a microsecond.
        let plain = String(decoding: text, as: UTF8.self)
        if let whole = Int64(plain) {
            return switch whole {
            case 100_000_000..<100_000_000_000: RecordTime(microseconds: whole * 1_000_000)
            case 100_000_000_000..<100_000_000_000_000: RecordTime(microseconds: whole * 1000)
            case 100_000_000_000_000..<100_000_000_000_000_000: RecordTime(microseconds: whole)
            case 100_000_000_000_000_000...: RecordTime(microseconds: whole / 1000)
            default: nil
            }
        }
        guard let number = Double(plain), number.isFinite, number >= 1e8 else { return nil }
        let scaled =
            switch number {
            case ..<1e11: number * 1e6
            case ..<1e14: number * 1e3
            case ..<1e17: number
            default: number / 1e3
            }
        return Int64(exactly: scaled.rounded()).map { RecordTime(microseconds: $0) }
    }

    /// RFC 3339 in UTC, with six digits of a second's fraction.
    package static func text(_ microseconds: Int64) -> String {
        let (seconds, fraction) = microseconds.flooredQuotientAndRemainder(dividingBy: 1_000_000)
        let (days, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = "\(value)"
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let day = "\(padded(Int64(date.year), 4))-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))"
        let clock = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(day)T\(clock).\(padded(fraction, 6))Z"
    }
}

extension Duration {
    /// The nearest number that there is.
    package var wholeMicroseconds: Int64 { RecordTime(microseconds: 0).advanced(by: self).microseconds }
}

extension RecordTime: CustomStringConvertible {
    /// In RFC 3339, in UTC.
    public var description: String { Self.text(microseconds) }
}

extension DigitReader {
    /// In seconds east of UTC.
    fileprivate mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}
