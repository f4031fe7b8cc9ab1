/// The latest values of inputs of different types. They lie in the tuple's memory.
struct LatestPack: LatestValues {
    typealias Joined = Void

    /// How many inputs have no value yet.
    var silent: Int

    init(inputs: Int) {
        silent = inputs
    }

    mutating func lend(to body: (()) -> Demand) -> Demand? { silent == 0 ? body(()) : nil }
}

typealias LatestPackOutput = SerialObserver<LatestMachine<LatestPack, PackDownstream>>

struct PlaceInLatestPack<Value: Sendable>: LatestPlace {
    let place: TuplePlace<Value>

    func put(_ value: Value, in values: inout LatestPack) {
        if place.put(value) { values.silent -= 1 }
    }

    func isSilent(in values: LatestPack) -> Bool { place.isEmpty }

    /// Does the same as the machine's own function, which is generic over places and would look this type up.
    private func receive(_ value: Value, _ machine: inout LatestMachine<LatestPack, PackDownstream>) -> Demand {
        put(value, in: &machine.values)
        return machine.emit()
    }

    /// Hears the input.
    func observer<Failure>(
        _ output: LatestPackOutput,
        _ sender: Sender<LatestMachine<LatestPack, PackDownstream>>,
        _ failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        AnyObserver(
            next: { [sender] value in
                withExtendedLifetime(sender) {
                    output.sendNow { receive(value, &$0) } ?? output.sendLater { receive(value, &$0) }
                }
            },
            lost: { output.lost($0) },
            terminate: { termination in
                output.perform { machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(at: self) == true { isDone = true }
                    case .failed(let reason):
                        failure.put(reason)
                        isDone = true
                    }
                    if isDone { output.terminate(.completed) }
                }
            },
            demand: { output.demand },
            wait: { output.whenReady($0) }
        )
    }
}
