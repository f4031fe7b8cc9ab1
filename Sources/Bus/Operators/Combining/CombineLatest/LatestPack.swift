/// The latest values of inputs of different types. They lie in the tuple's memory.
struct LatestPack: LatestValues {
    typealias Joined = Void

    /// Inputs of which there is no value.
    var silent: Int

    init(inputs: Int) {
        silent = inputs
    }

    var joined: Void? { silent == 0 ? () : nil }
}

typealias LatestPackOutput = SerialObserver<LatestMachine<LatestPack, PackDownstream>>

struct PlaceInLatestPack<Value: Sendable>: LatestPlace {
    let place: TuplePlace<Value>

    func put(_ value: Value, in values: inout LatestPack) {
        if place.put(value) { values.silent -= 1 }
    }

    func isSilent(in values: LatestPack) -> Bool { place.isEmpty }

    /// Hears the input.
    func observer<Failure>(
        _ output: LatestPackOutput,
        _ sender: Sender<LatestMachine<LatestPack, PackDownstream>>,
        _ failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        AnyObserver(
            next: { [sender] value in
                withExtendedLifetime(sender) {
                    output.sendNow { $0.received(value, at: self) } ?? output.sendLater { $0.received(value, at: self) }
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
            demand: { output.demand }
        )
    }
}
