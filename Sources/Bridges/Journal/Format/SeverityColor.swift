/// The colours in which journalctl shows messages.
enum SeverityColor {
    static let end: StaticString = "\u{1B}[0m"

    /// What begins the colour; `nil` for an entry without a severity, or of one that has none.
    ///
    /// - Parameter priority: the field PRIORITY.
    static func start(_ priority: UnsafeRawBufferPointer?) -> StaticString? {
        guard let priority, priority.count == 1 else { return nil }
        return switch priority[0] {
        case UInt8(ascii: "0")...UInt8(ascii: "3"): "\u{1B}[0;1;31m"
        case UInt8(ascii: "4"): "\u{1B}[0;1;38;5;185m"
        case UInt8(ascii: "5"): "\u{1B}[0;1;39m"
        case UInt8(ascii: "7"): "\u{1B}[0;38;5;245m"
        default: nil
        }
    }
}
