/// The fields that all records have, whatever their content.
package enum CommonField: String, CaseIterable {
    case source, time, severity, priority, message, pattern, speaker, sequence, late, gap

    /// The field's value as text, as people read it: a severity is its name.
    func text(of record: Record) -> String? {
        switch self {
        case .source: record.source
        case .time: record.time.description
        case .severity, .priority: record.severity?.name
        case .message: record.message
        case .pattern: record.pattern
        case .speaker: record.content.speaker
        case .sequence: "\(record.sequence)"
        case .late: "\(record.isLate)"
        case .gap: "\(record.kind != .event)"
        }
    }

    /// Whether JSON and logfmt have a place of their own for it.
    var hasPlaceInObjects: Bool { self != .speaker && self != .pattern }
}

extension Record {
    /// The value at a path as text; `nil` where the record has none. The names that all records have come first, as in a
    /// filter.
    package func text(of path: FieldPath) -> String? {
        if let common = CommonField(rawValue: path.text) { return common.text(of: self) }
        return fieldText(at: path)
    }

    private func fieldText(at path: FieldPath) -> String? {
        content.withFields(named: path.names) { path.value(in: $0)?.text }
    }

    /// The field `pattern` of its own, else the pattern of its message.
    fileprivate var pattern: String? {
        fieldText(at: Self.ownPattern) ?? content.withMessage { $0.map { MessagePattern.text(of: $0) } }
    }

    private static let ownPattern = FieldPath(name: CommonField.pattern.rawValue)
}
