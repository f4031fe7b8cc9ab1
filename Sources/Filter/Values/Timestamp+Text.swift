import Zones

extension Timestamp {
    /// RFC 3339: `2024-02-29T12:30:00Z`, with up to nine digits of a second's fraction, and `Z` or an offset such as
    /// `+02:00`.
    init?(parsing text: some Sequence<UInt8>) {
        guard let timestamp = Array(text).withUnsafeBytes({ Timestamp(parsing: DigitReader($0)) }) else { return nil }
        self = timestamp
    }

    private init?(parsing reader: consuming DigitReader) {
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T"), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        guard date.exists else { return nil }
        var nanoseconds: Int64 = 0
        if reader.take(".") {
            guard let fraction = reader.fraction(digits: 9) else { return nil }
            nanoseconds = fraction
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// RFC 3339 in UTC, the fraction without trailing zeros.
    var text: String {
        let (days, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        var fraction = ""
        if nanoseconds != 0 {
            fraction = "." + padded(Int64(nanoseconds), 9)
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        let day = "\(padded(Int64(date.year), 4))-\(padded(Int64(date.month), 2))-\(padded(Int64(date.day), 2))"
        return "\(day)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))\(fraction)Z"
    }
}

extension DigitReader {
    /// In seconds east of UTC.
    fileprivate mutating func offset() -> Int64? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}
