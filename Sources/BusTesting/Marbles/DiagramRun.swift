import Bus
import Timers

/// Runs a signal and compares it with its expected line.
struct DiagramRun {
    private let line: DiagramLine
    private let expected: [MarbleLine.Sign]
    private let subscribing: Int?
    private let disposing: Int?
    private let steps: Int
    private let step: Duration

    init(expected line: DiagramLine, steps: Int, step: Duration) {
        self.line = line
        self.steps = steps
        self.step = step
        expected = line.marbles?.signs.filter { $0.marble != .subscribed && $0.marble != .disposed } ?? []
        subscribing = line.marbles?.step(of: .subscribed)
        disposing = line.marbles?.step(of: .disposed)
    }

    /// Whether the line ends, so that nothing may be held after it.
    private var isOver: Bool { disposing != nil || expected.last?.marble.isEnd == true }

    func violations(_ output: some Signal, from sources: DiagramSources) -> [String] {
        let time = sources.time
        if let subscribing { time.advance(to: instant(subscribing)) }
        let recorder = time.record(output)
        if let disposing {
            // Scheduled after the sources, so that their events of this moment come before.
            _ = time.schedule(at: instant(disposing)) { recorder.dispose() }
        }
        time.advance(to: instant(steps))
        let heard = recorder.timeline.map { (time: $0.time, marble: Marble($0.event)) }
        // Before the disposal that the diagram does not draw: it ends the subscriptions to the sources.
        let misdrawn = sources.violations(isOver: isOver)
        recorder.dispose()

        let drawn = expected.map { (time: instant($0.step), marble: $0.marble) }
        let isAsDrawn = heard.elementsEqual(drawn) { $0.time == $1.time && $0.marble == $1.marble }
        let drawing = MarbleDrawing(step: step)
        let differences = isAsDrawn ? [] : ["\(line.name) drawn: \(drawing.text(drawn)) heard: \(drawing.text(heard))"]
        return differences + recorder.violations
            + (recorder.eventsAfterDisposal > 0 ? ["\(recorder.eventsAfterDisposal) events came after disposal"] : [])
            + misdrawn
    }

    private func instant(_ step: Int) -> TimerInstant {
        TimerInstant(nanoseconds: 0).advanced(by: self.step * step)
    }
}
