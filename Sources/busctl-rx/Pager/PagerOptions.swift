import ArgumentParser

/// What is said of the pager.
struct PagerOptions: ParsableArguments {
    static let names = OptionTable(flags: ["-e", "--pager-end", "--no-pager"])

    @Flag(
        name: [.customShort("e"), .long],
        help:
            "Begin with the last 1000 entries unless -n is given, do not follow unless -f is given, and show the end in the pager."
    )
    var pagerEnd = false

    @Flag(help: "Show what there is without a pager, also on a terminal.")
    var noPager = false

    /// The pager that shows what ends; `nil` where none is wanted, or no terminal is there for it.
    var choice: PagerChoice? {
        let terminal = ColorChoice.environment("TERM") ?? "dumb"
        guard !noPager, StandardDescriptors.areTerminals, terminal != "dumb" else { return nil }
        return PagerChoice(jumpsToEnd: pagerEnd, ColorChoice.environment) { SessionOwner.isEffectiveUser }
    }
}
