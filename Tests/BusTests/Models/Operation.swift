import Bus
import BusTesting
import TestSupport

/// An operator with its arguments: its name, its implementation and its meaning.
struct Operation: Sendable {
    let name: String
    /// How many signals it is applied to.
    let inputs: Int
    let build: @Sendable ([Stream], World) -> Stream
    let model: @Sendable ([Model]) -> Model

    /// An operator over one signal. Its meaning is a function of that signal's events.
    init(
        _ name: String,
        build: @escaping @Sendable (Stream) -> some Signal<Int, TestFailure>,
        means: @escaping @Sendable ([Note]) -> [Note]
    ) {
        self.name = name
        inputs = 1
        self.build = { inputs, _ in build(inputs[0]).eraseToAnySignal() }
        model = { inputs in Model { means(inputs[0].heard($0)) } }
    }

    /// An operator over several signals.
    ///
    /// - Parameter asks: whether it passes questions whether anything is wanted on to its observer.
    init(
        _ name: String,
        inputs: Int,
        asks: Bool = false,
        build: @escaping @Sendable ([Stream]) -> some Signal<Int, TestFailure>,
        means: @escaping @Sendable ([Model], _ subscribing: Moment) -> [Note]
    ) {
        self.name = name
        self.inputs = inputs
        self.build = { inputs, _ in build(inputs).eraseToAnySignal() }
        model = { inputs in
            let inputs = asks ? inputs : inputs.map(\.unquestioning)
            return Model { means(inputs, $0) }
        }
    }

    /// An operator over one signal that needs the time.
    init(
        _ name: String,
        inTime build: @escaping @Sendable (Stream, TestScheduler) -> some Signal<Int, TestFailure>,
        means: @escaping @Sendable ([Note]) -> [Note]
    ) {
        self.name = name
        inputs = 1
        self.build = { inputs, world in build(inputs[0], world.time).eraseToAnySignal() }
        model = { inputs in Model { means(inputs[0].heard($0)) } }
    }

    /// A kind of operator with random arguments.
    struct Kind: Sendable {
        let name: String
        let make: @Sendable (inout SeededGenerator) -> Operation

        init(_ name: String, _ make: @escaping @Sendable (inout SeededGenerator) -> Operation) {
            self.name = name
            self.make = make
        }
    }

    static let kinds: [Kind] =
        transforming + choosing + triggers + reducing + combining + flattening + failing + sharing
        + delivering
}
