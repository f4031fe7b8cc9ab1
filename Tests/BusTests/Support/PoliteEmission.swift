import Bus

/// The body of a `create` that stops when it is told to pause, and resumes at the same place when it is called.
final class PoliteEmission<Elements: Sequence & Sendable>: @unchecked Sendable where Elements.Element: Sendable {
    // Accessed only in work of `turns`, one at a time.
    private var elements: Elements.Iterator
    private let turns = Trampoline()
    private let emitter: Emitter<Elements.Element, Never>

    init(_ elements: Elements, to emitter: Emitter<Elements.Element, Never>) {
        self.elements = elements.makeIterator()
        self.emitter = emitter
    }

    func goOn() { turns.run(send) }

    private func send() {
        var demand = emitter.demand
        while true {
            if demand == .pause { demand = emitter.whenReady { self.goOn() } }
            switch demand {
            case .pause, .stop: return
            case .more:
                guard let element = elements.next() else { return emitter.complete() }
                demand = emitter.send(element)
            }
        }
    }
}

extension Signals {
    /// The elements of a sequence, sent by a `create` that can pause.
    static func politely<Elements: Sequence & Sendable>(
        _ elements: Elements,
        limit: Int = 1024
    ) -> some Signal<Elements.Element, Never> where Elements.Element: Sendable {
        create(of: Elements.Element.self, limit: limit) { emitter in
            PoliteEmission(elements, to: emitter).goOn()
            return nil
        }
    }
}
