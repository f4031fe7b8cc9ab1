/// The colours in which journalctl shows messages.
package enum SeverityColor {
    package static let end: StaticString = "\u{1B}[0m"

    /// The sequence that begins the colour; `nil` for an entry without a severity, or with a severity without a
    /// colour.
    ///
    /// - Parameter priority: the field PRIORITY.
    package static func start(_ priority: UnsafeRawBufferPointer?) -> StaticString? {
        priority.flatMap { Severity(digit: $0) }.flatMap(start)
    }

    package static func start(_ severity: Severity) -> StaticString? {
        switch severity {
        case .emergency, .alert, .critical, .error: "\u{1B}[0;1;31m"
        case .warning: "\u{1B}[0;1;38;5;185m"
        case .notice: "\u{1B}[0;1;39m"
        case .info: nil
        case .debug: "\u{1B}[0;38;5;245m"
        }
    }
}
