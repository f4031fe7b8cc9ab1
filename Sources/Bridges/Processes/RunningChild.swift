import Bus
import CLinux
import DescriptorBridge
import Glibc
import Loop
import SystemPackage
import Timers

/// A child that was started. The event loop holds it until it has ended and its status is taken, whatever happens to
/// the subscription, so that no zombie is left.
final class RunningChild: Sendable {
    private struct State: Sendable {
        var hasEnded = false
        /// The subscription is over.
        var isUnwanted = false
        var readers: [DescriptorReader] = []
        var watch: EventLoop.Watch?
        var killing: TimerHandle?
    }

    let streams: ChildStreams
    private let child: ChildProcess
    private let process: ProcessDescriptor
    private let state = Lock(State())
    /// How it ended, for any subscriber at any time. Sends on the event loop's thread.
    let exit = ReplaySubject(of: Result<ProcessStatus, ProcessError>.self, capacity: 1)

    var pid: pid_t { process.pid }

    private init(_ child: ChildProcess, _ process: ProcessDescriptor, _ streams: ChildStreams) {
        self.child = child
        self.process = process
        self.streams = streams
    }

    static func start(_ child: ChildProcess) throws(ProcessError) -> RunningChild {
        // Started first, so that a lack of descriptors or threads is noticed while there is no child that would have
        // to be killed.
        try prepareLoop()
        var spawning = Spawning(ownGroup: child.hasOwnGroup)
        let streams = try ChildStreams(child, &spawning)
        if let directory = child.workingDirectory { spawning.start(in: directory) }
        let pid = try spawning.run(child.executable, child.arguments, child.environment)
        streams.closeChildEnds()
        do throws(ProcessError) {
            let running = RunningChild(child, try ProcessDescriptor(pid), streams)
            try running.watch()
            return running
        } catch {
            // Its number may be another's by now: it has ended, and the kernel waits for children itself.
            if error.errno == .noSuchProcess { throw ProcessError("learn how process \(pid) ended", code: ECHILD) }
            // It cannot be watched, so it must not be left running.
            Glibc.kill(pid, SIGKILL)
            _ = clinux_child_wait(pid)
            throw error
        }
    }

    private static func prepareLoop() throws(ProcessError) {
        do throws(EventLoopError) {
            try EventLoop.shared.perform {}
        } catch {
            throw ProcessError(error.operation, code: error.code)
        }
    }

    private func watch() throws(ProcessError) {
        try state.withLock { state throws(ProcessError) in
            state.watch = try process.watch { self.ended() }
        }
    }

    /// A reader of its output, which finishes once the child has ended.
    func add(_ reader: DescriptorReader) {
        let hasEnded = state.withLock { state -> Bool in
            if !state.hasEnded { state.readers.append(reader) }
            return state.hasEnded
        }
        if hasEnded { reader.finish() }
    }

    // MARK: Ending

    /// The subscription is over: a running child is told to end, and killed when it takes too long.
    func release() {
        let (isRunning, readers) = state.withLock { state -> (Bool, [DescriptorReader]) in
            guard !state.hasEnded, !state.isUnwanted else { return (false, []) }
            state.isUnwanted = true
            defer { state.readers = [] }
            // Before its end can be noticed, which takes it from there.
            EndingChildren.add(pid)
            send(SIGTERM)
            // A stopped child would not hear it.
            send(SIGCONT)
            return (true, state.readers)
        }
        // Released here, not under the lock: the chains below them may be released with them.
        withExtendedLifetime(readers) {}
        if isRunning { scheduleKilling() }
    }

    private func scheduleKilling() {
        guard child.grace > .zero, let timers = EndingChildren.timers else { return kill() }
        let timer = timers.schedule(after: child.grace) { self.kill() }
        let isLate = state.withLock { state -> Bool in
            state.killing = timer
            return state.hasEnded
        }
        if isLate { timer.cancel() }
    }

    private func kill() {
        state.withLock { state in
            if !state.hasEnded { send(SIGKILL) }
        }
    }

    /// While its status was not taken the number cannot be reused; the caller holds the lock, without which the
    /// status is not taken. Failure is harmless: the child is exiting or has changed its user.
    private func send(_ signal: CInt) {
        let isSent = child.hasOwnGroup && Glibc.kill(-pid, signal) == 0
        // It may have joined another group.
        if !isSent || getpgid(pid) != pid { _ = process.send(signal) }
    }

    /// On the event loop's thread; again after a wait, while a tracer has not seen the end.
    private func ended(wait: Duration = .milliseconds(10)) {
        typealias End = (Result<ProcessStatus, ProcessError>, [DescriptorReader], EventLoop.Watch?, TimerHandle?)
        let end = state.withLock { state -> End? in
            // The rest of its group has lost its leader, and nobody needs it.
            if state.isUnwanted, child.hasOwnGroup { send(SIGKILL) }
            let result: Result<ProcessStatus, ProcessError>
            do throws(ProcessError) {
                guard let status = try process.reap() else { return nil }
                result = .success(status)
            } catch {
                result = .failure(error)
            }
            state.hasEnded = true
            defer {
                state.readers = []
                state.watch = nil
                state.killing = nil
            }
            return (result, state.readers, state.watch, state.killing)
        }
        guard let (result, readers, watch, killing) = end else {
            (EndingChildren.timers ?? .shared).schedule(after: wait) {
                let next = min(wait * 2, .seconds(1))
                do throws(EventLoopError) {
                    try EventLoop.shared.perform { self.ended(wait: next) }
                } catch {
                    // Without its thread there is no other place.
                    self.ended(wait: next)
                }
            }
            return
        }
        killing?.cancel()
        watch?.dispose()
        process.close()
        EndingChildren.remove(pid)
        for reader in readers { reader.finish() }
        exit.send(result)
        exit.complete()
    }
}
