import Bus

// The events that each subscription hears, and the description of the signal.
extension ContractCheck {
    func independence() -> [String] {
        let sources = makeSources()
        let signal = build(sources)
        let first = Recorder(signal)
        send(1...3, into: sources)
        let second = Recorder(signal)
        send(4...6, into: sources)
        complete(sources)
        return first.violations + second.violations
            + expect(
                "\(first.events)" == alone(1...6),
                "with a second subscription beside it, the first heard \(first.events) and not \(alone(1...6))"
            )
            + expect(
                "\(second.events)" == alone(4...6),
                "a second subscription heard \(second.events) and not what one alone hears, \(alone(4...6))"
            )
    }

    /// The events that a single subscription hears.
    private func alone(_ values: ClosedRange<Int>) -> String {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        send(values, into: sources)
        complete(sources)
        return "\(recorder.events)"
    }

    /// Promise 7: a loss above is heard below.
    func losses() -> [String] {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        send(1...1, into: sources)
        sources.first?.sendLoss(of: 3)
        settle()
        let heard = recorder.lost
        recorder.dispose()
        return recorder.violations + expect(heard == 3, "3 values were lost above it, and it said that \(heard) were")
    }

    func description() -> [String] {
        let chain = build(makeSources()).chain
        let type = String(String(describing: Output.self).prefix { $0 != "<" })
        return expect(
            !chain.source.isEmpty && !chain.operators.contains(""),
            "its chain, \"\(chain)\", leaves out a name"
        )
            + expect(
                chain != Chain(source: type),
                "it does not say what it is; its chain is the name of its type, \(type)"
            )
    }
}
