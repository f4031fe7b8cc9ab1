import ArgumentParser

/// The context of the records that the filter selects, like grep's -B and -A.
struct ContextOptions: ParsableArguments {
    static let names = OptionTable(values: ["--before-context", "--after-context", "-C", "--context"], flags: [])

    /// More would be a second filter.
    private static let most = 10_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Show so many records before each match, too. The filter and -g say what matches; -u, -b, FIELD=value and the like say \
            what is read at all, and -n how much of what was there before.
            """,
            valueName: "count"
        ),
        transform: Self.count
    )
    var beforeContext: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show so many records after each match, too.", valueName: "count"),
        transform: Self.count
    )
    var afterContext: Int?

    @Option(
        name: [.customShort("C"), .long],
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show so many records before and after each match, where neither of the other two says otherwise.",
            valueName: "count"
        ),
        transform: Self.count
    )
    var context: Int?

    var isUsed: Bool { beforeContext != nil || afterContext != nil || context != nil }

    /// How many records before a match are shown.
    var before: Int { beforeContext ?? context ?? 0 }

    /// How many after it.
    var after: Int { afterContext ?? context ?? 0 }

    private static func count(_ argument: String) throws -> Int {
        guard let count = Int(argument), (0...most).contains(count) else {
            throw BadValue(description: "write a whole number from 0 to \(most), as in -C 3")
        }
        return count
    }
}
