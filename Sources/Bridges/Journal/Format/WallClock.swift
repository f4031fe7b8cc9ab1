import Glibc

/// Writes local times as `Nov 21 02:28:00`, asking the C library once for each second.
struct WallClock {
    private var second: Int?
    private var text: [UInt8] = []

    mutating func append(_ microseconds: UInt64, to output: inout OutputBuffer) {
        let wanted = Int(clamping: microseconds / 1_000_000)
        if wanted != second {
            second = wanted
            render(wanted)
        }
        text.withUnsafeBytes { output.append($0) }
    }

    private mutating func render(_ seconds: Int) {
        var time = time_t(seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else {
            text = Array("-".utf8)
            return
        }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> [UInt8] { [0x30 + UInt8(number / 10 % 10), 0x30 + UInt8(number % 10)] }
        text =
            Array(months[Int(parts.tm_mon) % 12].utf8) + [0x20] + two(parts.tm_mday) + [0x20] + two(parts.tm_hour) + [
                0x3A
            ]
        text += two(parts.tm_min) + [0x3A] + two(parts.tm_sec)
    }
}
