import Bus
import Dispatch
import Foundation

/// Takes messages out of Foundation's queue, as fast as they come: it is the only queue here without a bound.
enum MessagePump {
    /// Observes at once; the returned handle ends it.
    static func start<Message: NotificationCenter.AsyncMessage>(
        _ messages: some AsyncSequence<Message, Never> & Sendable,
        _ subject: MessageSubject<Message.Subject>,
        _ emitter: Emitter<Message, Never>
    ) -> any Disposable {
        let executor = PumpExecutor()
        // Made here, because the iterator observes: messages that are posted from now on are heard.
        let iterator = messages.makeAsyncIterator()
        let task = Task(executorPreference: executor) {
            var iterator = iterator
            while !Task.isCancelled, let message = await iterator.next(isolation: nil) {
                guard subject.isAlive else { return emitter.complete() }
                if emitter.send(message) == .stop { return }
            }
        }
        return ActionDisposable { executor.perform { task.cancel() } }
    }
}

/// Runs one task, a piece at a time.
///
/// Foundation's iterator never returns when its task is cancelled between being asked and beginning to wait. Here the
/// cancellation comes in a call of its own, before the first or after the second.
final class PumpExecutor: TaskExecutor {
    // On the pool's threads: a queue of its own kind would get a thread of its own whenever it has something to do.
    private let queue = DispatchQueue(label: "notification-messages", target: .global())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
