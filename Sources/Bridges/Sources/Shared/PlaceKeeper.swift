public import Bus
import SystemPackage
import Timers

/// Keeps the place up to which everything was written, and saves it, at most four times a second.
///
/// ``start(on:)`` begins saving. The places are noted as they are reached. At the end, ``seal()`` and ``finish()`` say how it went.
public final class PlaceKeeper: Sendable {
    private struct State {
        /// Makes the text of the place up to which everything was written.
        var place: (@Sendable () -> String)?
        /// Whether the place has not been saved yet.
        var isNew = false
        var saved: String?
        /// The message about the last attempt to save it.
        var failure: String?
        var isSealed = false
    }

    private static let interval = Duration.milliseconds(250)

    private let file: CursorFile?
    private let state = Lock(State())
    private let noted = Subject<Void, Never>()
    /// Held while the file is written.
    private let saving = Lock(())

    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - file: where the place is saved, if anywhere.
    ///   - report: called with the first of several failures to save it, on the thread that saves.
    public init(_ file: CursorFile?, report: @escaping @Sendable (String) -> Void = { _ in }) {
        self.file = file
        self.report = report
    }

    /// Saves places that are noted from now on, on that scheduler, which may be blocked.
    public func start(on scheduler: ThreadScheduler) -> any Disposable {
        noted.throttle(Self.interval).deliver(on: scheduler).subscribe { [weak self] in self?.save() }
    }

    /// Everything up to that place was written.
    public func note(_ place: String) { note { place } }

    /// The same with a closure that makes the text, which is called when the place is saved.
    package func note(_ place: @escaping @Sendable () -> String) {
        let isNew = state.withLock { state -> Bool in
            guard !state.isSealed else { return false }
            state.place = place
            state.isNew = true
            return true
        }
        if isNew, file != nil { noted.send(()) }
    }

    /// The last place. From here on none is noted: later output may not be written completely.
    public func seal() -> String? {
        state.withLock { state in
            state.isSealed = true
            return state.place
        }?()
    }

    /// Saves the last place; returns a message for a person if that is not possible.
    public func finish() -> String? {
        save()
        return state.withLock { $0.failure }
    }

    /// Saves the last place now. It blocks.
    public func save() {
        guard let file else { return }
        let news = saving.withLock { _ -> String? in
            let (noted, saved) = state.withLock { state in
                defer { state.isNew = false }
                return (state.isNew || state.failure != nil ? state.place : nil, state.saved)
            }
            guard let place = noted?(), place != saved else { return nil }
            var failure: String?
            do throws(Errno) {
                try file.write(place)
            } catch {
                failure = "cannot save the place in the cursor file \(file.path): \(error)"
            }
            return state.withLock { state in
                let news = state.failure == nil ? failure : nil
                if failure == nil { state.saved = place }
                state.failure = failure
                return news
            }
        }
        if let news { report(news) }
    }
}
