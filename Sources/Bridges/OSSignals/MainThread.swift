import CLinux
import Glibc

/// The main thread, where Dispatch has put it to sleep for good with no signal blocked: for an asynchronous `main`, and
/// with `dispatchMain`.
enum MainThread {
    /// Has it block what is listened to, if it sleeps there now. If it goes there later, the first signal that wakes it
    /// has the same effect. It is let go of with the last subscription.
    static func hold(for bits: SignalBits) {
        guard clinux_main_is_held() == 0, let number = bits.numbers.first else { return }
        // The number of the system call it is in; a word when it is in none.
        let call = ProcessFiles.bytes(of: "/proc/self/task/\(getpid())/syscall").prefix { $0 != UInt8(ascii: " ") }
        guard call.elementsEqual("\(clinux_sigsuspend_call())".utf8),
            ThreadMask(getpid())?.blocked.isEmpty == true
        else { return }
        // Where that is refused, signals are handed on by it.
        _ = clinux_main_hold(number)
    }
}
