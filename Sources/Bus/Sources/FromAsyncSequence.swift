extension Signals {
    /// The elements of an `AsyncSequence`. Cold: every subscription walks the sequence in a task of its own.
    ///
    /// Ends and fails with the sequence. Speaks on Swift's cooperative pool; the sequence is slowed by a slow
    /// observer. Ending the subscription cancels the task.
    public static func from<Elements: AsyncSequence & Sendable>(
        _ elements: Elements
    ) -> some Signal<Elements.Element, Elements.Failure> where Elements.Element: Sendable {
        create(of: Elements.Element.self, failure: Elements.Failure.self) { emitter in
            let task = Task {
                do throws(Elements.Failure) {
                    var iterator = elements.makeAsyncIterator()
                    while !Task.isCancelled, let element = try await iterator.next(isolation: nil) {
                        if emitter.next(element) == .stop { break }
                    }
                    emitter.completed()
                } catch {
                    emitter.failed(error)
                }
            }
            return ActionDisposable { task.cancel() }
        }
    }
}
