extension TestScheduler {
    /// Runs tasks in virtual time: each piece of a task, between two suspensions, is work that is due at once. A task
    /// that prefers it (`Task(executorPreference:)`), and all nonisolated code that it calls, runs on the driving
    /// thread, one piece at a time, in the order in which the pieces became ready.
    public var executor: any TaskExecutor { VirtualExecutor(self) }
}

private final class VirtualExecutor: TaskExecutor {
    private let time: TestScheduler

    init(_ time: TestScheduler) { self.time = time }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        time.schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
