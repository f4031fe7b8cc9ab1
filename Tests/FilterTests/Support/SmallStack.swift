import Dispatch
import Foundation

/// Runs the body on a thread with a stack of 4 MiB, half of what a thread usually has, and waits for it.
func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        box.value = body()
        done.signal()
    }
    thread.stackSize = 4 << 20
    thread.start()
    done.wait()
    return box.value
}

private final class Box<Value>: @unchecked Sendable {  // Written by the thread before it signals, read after that.
    var value: Value?
}
