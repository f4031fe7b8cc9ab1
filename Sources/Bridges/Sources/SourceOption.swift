/// A kind of source with options of its own on the command line.
package protocol OptionedSource: RecordSource {
    /// Options that apply to all sources of this type.
    static var options: [SourceOption] { get }
}

/// An option of a kind of source, such as `--monitor` of D-Bus.
package struct SourceOption: Sendable {
    /// As it is typed: `--monitor`.
    package let name: String
    /// The name of the value in the help; `nil` for an option without one.
    package let value: String?
    /// Whole sentences about the option, for `--help`.
    package let help: String
    /// The advice where no source has this option.
    package let advice: String
    /// For the completion of a command line.
    package let operands: SourceSpelling.Operands
    private let isOfType: @Sendable (any RecordSource) -> Bool
    private let read: @Sendable (String) throws(SourceArgumentError) -> Setting

    /// Sets an option that was read; returns the source as it is where it has no such option.
    package typealias Setting = @Sendable (any RecordSource) -> any RecordSource

    /// An option without a value.
    package static func flag<Source: RecordSource>(
        _ name: String,
        help: String,
        advice: String,
        _ set: @escaping @Sendable (inout Source) -> Void
    ) -> SourceOption {
        SourceOption(
            name: name,
            value: nil,
            help: help,
            advice: advice,
            operands: .words([]),
            isOfType: { $0 is Source },
            read: { _ in { source in setting(source, set) } }
        )
    }

    /// An option with a value, which may be given several times.
    ///
    /// - Parameters:
    ///   - name: as it is typed.
    ///   - value: the name of the value in the help.
    ///   - operands: the possible values, for completion.
    ///   - help: whole sentences about the option.
    ///   - advice: the advice where no source has this option.
    ///   - read: reads the value, and throws a correction.
    ///   - set: puts it into a source.
    package static func value<Source: RecordSource, Value: Sendable>(
        _ name: String,
        of value: String,
        operands: SourceSpelling.Operands = .words([]),
        help: String,
        advice: String,
        read: @escaping @Sendable (String) throws(SourceArgumentError) -> Value,
        set: @escaping @Sendable (inout Source, Value) -> Void
    ) -> SourceOption {
        SourceOption(
            name: name,
            value: value,
            help: help,
            advice: advice,
            operands: operands,
            isOfType: { $0 is Source },
            read: { (text) throws(SourceArgumentError) in
                let value = try read(text)
                return { source in setting(source) { (own: inout Source) in set(&own, value) } }
            }
        )
    }

    /// Whether a source has this option.
    package func isOption(of source: any RecordSource) -> Bool { isOfType(source) }

    /// Reads the option's value.
    ///
    /// - Parameter text: as it was typed; of no meaning for an option without a value.
    /// - Throws: ``SourceArgumentError``, which says what to write instead.
    package func setting(_ text: String) throws(SourceArgumentError) -> Setting { try read(text) }

    private static func setting<Source: RecordSource>(
        _ source: any RecordSource,
        _ set: (inout Source) -> Void
    ) -> any RecordSource {
        guard var own = source as? Source else { return source }
        set(&own)
        return own
    }
}
