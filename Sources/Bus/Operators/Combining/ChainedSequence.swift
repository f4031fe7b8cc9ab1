/// A small, finished collection of signals, so that a chain can name them.
protocol ChainedSequence {
    func chain(by name: String) -> Chain
}

extension SignalPair: ChainedSequence {
    func chain(by name: String) -> Chain { Chain(joining: [first.chain, second.chain], by: name) }
}

extension Draining: ChainedSequence where Elements.Element: Signal {
    func chain(by name: String) -> Chain {
        guard let array = elements as? [Elements.Element] else { return Chain(source: name) }
        return Chain(joining: array.map(\.chain), by: name)
    }
}
