import Bus
import BusTesting
import TestSupport

/// An operator with its arguments: what it is called, what it really does, and what it means.
struct Operation: Sendable {
    let name: String
    /// How many signals it is applied to.
    let inputs: Int
    let build: @Sendable ([Stream], World) -> Stream
    let model: @Sendable ([Model]) -> Model

    /// An operator over one signal, whose meaning is a function of what that says.
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
    /// - Parameter asks: whether it passes on to the one below who asks whether anything is wanted.
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

    /// A kind of operator, whose arguments are drawn at random.
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
