import CLinux
import Glibc

/// The main thread, where Dispatch has put it to sleep for good with no signal blocked: for an asynchronous `main`, and
/// with `dispatchMain`.
enum MainThread {
    /// Has it block what is listened to, if it sleeps there now. If it goes there later, the first signal that wakes it
    /// has the same effect. It is let go of with the last subscription.
    static func hold(for bits: SignalBits) {
        guard let number = bits.numbers.first, let main = ThreadMask(getpid()), main.blocked.isEmpty,
            let call = ProcessFiles.text(of: "/proc/self/task/\(getpid())/syscall"),
            call.split(separator: " ").first.flatMap({ Int($0) }) == clinux_sigsuspend_call()
        else { return }
        // Where that is refused, signals are handed on by it.
        _ = clinux_main_hold(number)
    }
}
