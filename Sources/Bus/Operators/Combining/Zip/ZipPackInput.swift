/// One input of a `zip` of a pack, apart from its type: how far ahead it is.
///
/// Touched by the input's one sender, one event at a time.
final class ZipPackInput: @unchecked Sendable {
    // See above.
    @exclusivity(unchecked) private var sent = 0
    @exclusivity(unchecked) private var lost = 0
    /// The losses reported after the last value that was let through.
    @exclusivity(unchecked) private var report: LossReport?
    private let room: ZipRoom
    private let index: Int
    private let output: ZipPackOutput
    private let sender: Sender<ZipMachine<ZipPackLines, PackDownstream>>

    init(
        _ room: ZipRoom,
        index: Int,
        _ output: ZipPackOutput,
        _ sender: Sender<ZipMachine<ZipPackLines, PackDownstream>>
    ) {
        self.room = room
        self.index = index
        self.output = output
        self.sender = sender
    }

    func observer<Value, Failure>(
        into line: TypedZipPackLine<Value>,
        failure: PackFailure<Failure>
    ) -> AnyObserver<Value, Failure> {
        let place = PlaceInZipPack(line: line)
        return AnyObserver(
            next: { [self] value in
                guard !room.isFull(sent: sent, at: index) else {
                    // Its source goes on though it was told to pause.
                    lost += 1
                    return demand
                }
                sent += 1
                if report != nil { report = nil }
                let before = takeLost()
                let answer =
                    output.sendNow { place.receive(value, after: before, &$0) }
                    ?? output.sendLater { place.receive(value, after: before, &$0) }
                return answer == .more ? demand : answer
            },
            lost: { [self] count in
                let missing = takeLost() + count
                if report?.join(missing) == true { return }
                let report = LossReport(missing)
                self.report = report
                output.perform { [output] machine, _ in
                    if machine?.lost(report.take(), at: place) == .stop { output.terminate(.completed) }
                }
            },
            terminate: { [self] termination in
                let before = takeLost()
                output.perform { [output] machine, _ in
                    var isDone = output.isClosing
                    switch termination {
                    case .completed: if machine?.ended(after: before, at: place) == true { isDone = true }
                    case .failed(let reason):
                        failure.put(reason)
                        isDone = true
                    }
                    if isDone { output.terminate(.completed) }
                }
            },
            demand: { [self] in demand },
            wait: { [self] resume in
                guard room.isFull(sent: sent, at: index) else { return output.whenReady(resume) }
                return output.wait(ZipPause(index: index, sent: sent, resume: resume))
            }
        )
    }

    private var demand: Demand {
        let demand = output.demand
        return demand == .more && room.isFull(sent: sent, at: index) ? .pause : demand
    }

    private func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}
