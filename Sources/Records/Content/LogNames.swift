/// The names in log files for a record's message, severity and time; the first one present counts.
enum LogNames {
    static let message = names(["message", "msg", "MESSAGE", "event"])
    static let severity = names(["level", "severity", "lvl", "priority", "PRIORITY"])
    static let time = names(["time", "ts", "timestamp", "@timestamp", "t"])

    private static func names(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }
}

extension [[UInt8]] {
    /// How far in front the name stands; `nil` if it is none of them.
    func rank(of name: UnsafeRawBufferPointer) -> Int? {
        firstIndex { $0.count == name.count && name.elementsEqual($0) }
    }
}
