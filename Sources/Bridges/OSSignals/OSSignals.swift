public import Bus
import CLinux
import Glibc
import Timers

extension Signals {
    /// The signals of the set as they come, from any process, with what the kernel knows of their sender. Hot.
    ///
    /// ```
    /// kill -HUP   --HUP-----------
    /// kill -TERM  ---------TERM---
    /// osSignals   --HUP----TERM---
    /// ```
    ///
    /// Block the set (``OSSignalSet/block()``) first thing in `main`. What reaches a thread that does not block it, as
    /// the main thread after an asynchronous `main` or `dispatchMain()`, is handed on and heard all the same, but it
    /// interrupts that thread's system call, and real-time signals may change places. While there is a subscription, a
    /// signal's default action is not taken; a handler, or that the signal is ignored (`nohup`), stays as it is.
    ///
    /// Standard signals that come while one of their number waits are one (the kernel's rule); real-time signals come
    /// each, in order, with their values. Two subscriptions to the same signal share what comes between them, each
    /// signal reaching one of the two.
    ///
    /// Never completes; fails when the system refuses a descriptor. Speaks on `scheduler`, where at most 65,536 may
    /// wait; what finds no room is lost.
    public static func osSignals(
        _ set: OSSignalSet,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<OSSignal, OSSignalError> {
        create(of: OSSignal.self, failure: OSSignalError.self) { emitter in
            do throws(OSSignalError) {
                return try SignalDescriptor.watch(set, emitter)
            } catch {
                emitter.failed(error)
                return nil
            }
        }
        // What feeds this is the thread that all descriptors and timers share, so it must not be made to wait.
        .deliver(on: scheduler, limit: 65_536, overflow: .dropNewest)
    }
}

/// A signalfd(2) on the event loop.
private enum SignalDescriptor {
    static func watch(
        _ set: OSSignalSet,
        _ emitter: Emitter<OSSignal, OSSignalError>
    ) throws(OSSignalError) -> any Disposable {
        var systemSet = set.systemSet
        let descriptor = signalfd(-1, &systemSet, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(operation: "open a signal descriptor", code: errno) }
        let watch = try watch(descriptor, emitter)
        let closing = ActionDisposable { watch.cancel { close(descriptor) } }
        do throws(OSSignalError) {
            // Not before the descriptor is watched: what waits in the loop's thread by then is not noticed.
            try SignalForwarding.begin(set.numbers)
        } catch {
            closing.dispose()
            throw error
        }
        return ActionDisposable {
            SignalForwarding.end(set.numbers)
            closing.dispose()
        }
    }

    private static func watch(
        _ descriptor: CInt,
        _ emitter: Emitter<OSSignal, OSSignalError>
    ) throws(OSSignalError) -> EventLoop.Watch {
        do throws(EventLoopError) {
            return try EventLoop.shared.watch(descriptor) { _ in
                while let signal = read(descriptor) { emitter.next(signal) }
            }
        } catch {
            close(descriptor)
            throw .system(operation: "watch a signal descriptor", code: error.code)
        }
    }

    private static func read(_ descriptor: CInt) -> OSSignal? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        var count = 0
        repeat { count = Glibc.read(descriptor, &info, size) } while count < 0 && errno == EINTR
        guard count == size else { return nil }
        let code = clinux_signal_code(info.ssi_code)
        // A child's status stands where others have their value, and is only told apart by the code.
        let isForwardedChild = code != info.ssi_code && info.ssi_signo == SIGCHLD && code > 0
        return OSSignal(
            number: CInt(bitPattern: info.ssi_signo),
            code: code,
            pid: pid_t(bitPattern: info.ssi_pid),
            uid: info.ssi_uid,
            value: isForwardedChild ? 0 : info.ssi_int,
            status: isForwardedChild ? info.ssi_int : info.ssi_status
        )
    }
}
