import ArgumentParser
import JournalBridge

/// Explanations of messages.
struct CatalogOptions: ParsableArguments {
    static let names = OptionTable(flags: ["-x", "--catalog"])

    @Flag(
        name: [.customShort("x"), .customLong("catalog")],
        help: """
            Below an entry of a journal, show what systemd's message catalogue says of it, in the formats short to with-unit and \
            verbose.
            """
    )
    var isUsed = false

    /// Takes on the locale in which texts are looked up. To be called before there are other threads.
    ///
    /// - Returns: what marks the texts; `nil` where none are wanted.
    func begin() -> CatalogMark? {
        guard isUsed else { return nil }
        CatalogLocale.adopt()
        if let complaint = CatalogFormat.complaint { StandardError.report(complaint) }
        return CatalogLocale.isUTF8 ? .shade : .dashes
    }
}
