import Glibc

/// Writes times of the wall clock, asking the C library once for each second.
package struct ClockText: Sendable {
    package enum Style: Sendable {
        /// `Nov 21 02:28:00`
        case classic
        /// `2026-11-21T02:28:00+01:00`, as in RFC 3339
        case iso
        /// `Sat 2026-11-21 02:28:00 CET`
        case full
        /// Seconds since 1970.
        case unix
    }

    private var style: Style
    private var hasMicroseconds: Bool
    private let isUTC: Bool
    private var second: Int?
    private var text: [UInt8] = []
    /// The text after the microseconds.
    private var zone: [UInt8] = []

    package init(_ style: Style, microseconds: Bool = false, isUTC: Bool) {
        self.style = style
        hasMicroseconds = microseconds
        self.isUTC = isUTC
    }

    init(_ time: RecordFormat.LineTime, isUTC: Bool) {
        let (style, hasMicroseconds) = Self.parts(time)
        self.init(style, microseconds: hasMicroseconds, isUTC: isUTC)
    }

    mutating func setStyle(_ time: RecordFormat.LineTime) {
        let (style, hasMicroseconds) = Self.parts(time)
        if style != self.style { second = nil }
        (self.style, self.hasMicroseconds) = (style, hasMicroseconds)
    }

    private static func parts(_ time: RecordFormat.LineTime) -> (Style, microseconds: Bool) {
        switch time {
        case .classic: (.classic, false)
        case .precise: (.classic, true)
        case .iso: (.iso, false)
        case .isoPrecise: (.iso, true)
        case .full: (.full, false)
        case .unix: (.unix, true)
        }
    }

    package mutating func append(_ microseconds: UInt64, to output: inout OutputBuffer) {
        let (wanted, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        append(Int(clamping: wanted), rest, to: &output)
    }

    /// A time of a record, which may be before 1970.
    package mutating func append(_ time: RecordTime, to output: inout OutputBuffer) {
        var (wanted, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest < 0, style != .unix { (wanted, rest) = (wanted - 1, rest + 1_000_000) }
        if rest < 0, wanted == 0, style == .unix {
            // A number has no sign of zero.
            (second, text, zone) = (nil, Array(Self.padded("-0", 10).utf8), [])
            return write(rest.magnitude, to: &output)
        }
        append(Int(wanted), rest.magnitude, to: &output)
    }

    private mutating func append(_ wanted: Int, _ rest: UInt64, to output: inout OutputBuffer) {
        if second != wanted {
            second = wanted
            render(wanted)
        }
        write(rest, to: &output)
    }

    private func write(_ rest: UInt64, to output: inout OutputBuffer) {
        text.withUnsafeBytes { output.append($0) }
        if hasMicroseconds { output.append(fraction: rest) }
        zone.withUnsafeBytes { output.append($0) }
    }

    private mutating func render(_ seconds: Int) {
        zone = []
        if style == .unix {
            text = Array(Self.padded("\(seconds)", 10).utf8)
            return
        }
        var time = time_t(seconds)
        var parts = tm()
        guard (isUTC ? gmtime_r(&time, &parts) : localtime_r(&time, &parts)) != nil else {
            text = Array("-".utf8)
            return
        }
        let clock = "\(Self.two(parts.tm_hour)):\(Self.two(parts.tm_min)):\(Self.two(parts.tm_sec))"
        let day = Self.two(parts.tm_mday)
        let date = "\(1900 + Int(parts.tm_year))-\(Self.two(parts.tm_mon + 1))-\(day)"
        switch style {
        case .classic: text = Array("\(Self.months[Int(parts.tm_mon) % 12]) \(day) \(clock)".utf8)
        case .iso:
            text = Array("\(date)T\(clock)".utf8)
            zone = Array(Self.offset(parts.tm_gmtoff).utf8)
        case .full:
            text = Array("\(Self.weekdays[Int(parts.tm_wday) % 7]) \(date) \(clock)".utf8)
            let name = isUTC ? "UTC" : parts.tm_zone.map { String(cString: $0) } ?? ""
            zone = name.isEmpty ? [] : Array(" \(name)".utf8)
        case .unix: break
        }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `+05:30`.
    private static func offset(_ seconds: Int) -> String {
        let minutes = Int32(abs(seconds) / 60 % 6000)
        return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func two(_ number: Int32) -> String { padded("\(number)", 2, with: "0") }

    private static func padded(_ text: String, _ width: Int, with filler: String = " ") -> String {
        String(repeating: filler, count: max(0, width - text.utf8.count)) + text
    }
}

/// Writes times since the machine's start, and the time since the line before.
package struct UptimeText {
    private let showsDelta: Bool
    private var last: (monotonic: UInt64, realtime: UInt64, boot: [UInt8])?

    package init(showsDelta: Bool) {
        self.showsDelta = showsDelta
    }

    package mutating func append(
        _ monotonic: UInt64,
        realtime: UInt64,
        boot: UnsafeRawBufferPointer,
        to output: inout OutputBuffer
    ) {
        output.append("[")
        output.append(seconds: monotonic)
        if showsDelta {
            if let last {
                let isSameBoot = boot.elementsEqual(last.boot)
                let (now, before) = isSameBoot ? (monotonic, last.monotonic) : (realtime, last.realtime)
                output.append(" <")
                output.append(seconds: now > before ? now - before : 0)
                output.append(isSameBoot ? " >" : "*>")
            } else {
                output.append(spaces: 16)
            }
        }
        output.append("]")
        note(monotonic, realtime: realtime, boot: boot)
    }

    /// An entry without a line counts all the same.
    package mutating func note(_ monotonic: UInt64, realtime: UInt64, boot: UnsafeRawBufferPointer) {
        if showsDelta { last = (monotonic, realtime, Array(boot)) }
    }
}

extension OutputBuffer {
    /// `.000120`, of a number below a million.
    fileprivate mutating func append(fraction number: UInt64) {
        let start = count
        append(decimal: 1_000_000 + number % 1_000_000)
        replace(at: start, with: UInt8(ascii: "."))
    }

    /// Microseconds as seconds, with five digits or spaces before the point.
    fileprivate mutating func append(seconds microseconds: UInt64) {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var bound: UInt64 = 10_000
        while bound > 1, whole < bound {
            append(spaces: 1)
            bound /= 10
        }
        append(decimal: whole)
        append(fraction: rest)
    }
}
