import Bus
import Timers

/// The sources of a ``Diagram``, made from its lines when they are asked for by name.
///
/// A source with a name that no line has, or with a line that cannot be read, is silent, and is reported among the
/// diagram's violations.
public final class DiagramSources {
    /// The diagram's time, for operators that wait.
    public let time = TestScheduler()
    private let lines: [DiagramLine]
    private let step: Duration
    private var windows: [String: () -> (all: [SubscriptionWindow], live: Int)] = [:]
    private(set) var problems: [String] = []

    init(lines: [DiagramLine], step: Duration) {
        self.lines = lines
        self.step = step
    }

    /// A hot source: it sends the events of its line, subscribed to or not.
    ///
    /// Sources that send at the same moment do so in the order in which they were asked for.
    ///
    /// - Parameters:
    ///   - name: the line's name.
    ///   - type: the type that the signs are read as; numbers by default.
    ///   - failure: the type that an `x` is read as.
    public func hot<Value: LosslessStringConvertible & Sendable, Failure: MarbleFailure>(
        _ name: String,
        of type: Value.Type = Int.self,
        failure: Failure.Type = TestFailure.self
    ) -> ProbeSource<Value, Failure> {
        let source: ProbeSource<Value, Failure> = time.hot(script(name, isCold: false))
        windows[name] = { (source.windows, source.liveSubscriptions) }
        return source
    }

    /// A cold source: each subscription hears the events of its line, from the line's first sign on.
    ///
    /// The event at that first sign comes during `subscribe`, as from `Signals.just`.
    ///
    /// - Parameters:
    ///   - name: the line's name.
    ///   - type: the type that the signs are read as; numbers by default.
    ///   - failure: the type that an `x` is read as.
    public func cold<Value: LosslessStringConvertible & Sendable, Failure: MarbleFailure>(
        _ name: String,
        of type: Value.Type = Int.self,
        failure: Failure.Type = TestFailure.self
    ) -> ColdSource<Value, Failure> {
        let source = ColdSource<Value, Failure>(script(name, isCold: true), on: time)
        windows[name] = { (source.windows, source.liveSubscriptions) }
        return source
    }

    var names: Set<String> { Set(windows.keys) }

    /// The mistakes in the subscriptions to the sources.
    ///
    /// - Parameter isOver: whether the output has ended, or was disposed of.
    func violations(isOver: Bool) -> [String] {
        windows.sorted { $0.key < $1.key }.flatMap { name, windows in
            let (all, live) = windows()
            let drawn = lines.filter { $0.name == name && $0.isWindow }.map(\.drawing)
            let found = all.map { $0.marbles(step: step) }
            var problems: [String] = []
            if !drawn.isEmpty, drawn.map(Self.canonical) != found {
                let lists = [drawn, found].map { $0.isEmpty ? "none" : $0.joined(separator: " and ") }
                problems.append("subscriptions to \"\(name)\" drawn: \(lists[0]); seen: \(lists[1])")
            }
            if isOver, live > 0 { problems.append("\"\(name)\" is still subscribed to after the end") }
            return problems
        }
    }

    private static func canonical(_ drawing: String) -> String {
        var drawing = Substring(drawing.map { $0 == " " ? "-" : $0 })
        while drawing.last == "-" { drawing.removeLast() }
        return String(drawing)
    }

    private func script<Value, Failure: MarbleFailure>(
        _ name: String,
        isCold: Bool
    ) -> [Recorded<Value, Failure>] where Value: LosslessStringConvertible {
        guard windows[name] == nil else { return complain("the line \"\(name)\" was asked for twice") }
        guard let line = lines.first(where: { $0.name == name && !$0.isWindow }) else {
            windows[name] = { ([], 0) }
            return complain("the diagram has no line \"\(name)\"")
        }
        do throws(MarbleError) {
            if let error = line.error { throw error }
            let drawing = isCold ? String(line.drawing.drop { $0 == " " }) : line.drawing
            return try MarbleScript(drawing, step: step) { Value($0) }.events
        } catch {
            return complain(error.description)
        }
    }

    private func complain<Value, Failure>(_ problem: String) -> [Recorded<Value, Failure>] {
        problems.append(problem)
        return []
    }
}
