import Glibc
import Synchronization

/// Sees that Dispatch finds the descriptors it needs for itself.
///
/// It opens an epoll descriptor, an eventfd and a timerfd a clock when it first needs them. When the system has none to
/// give, the process ends there, or the timers never run; neither can be heard of afterwards.
enum DispatchResources {
    private static let haveServed = Atomic<Bool>(false)
    private static let needed = 5

    /// - Throws: when Dispatch has not served anything yet and there are too few descriptors left for it to begin. Another
    ///   thread may take them in the next moment.
    static func check() throws(DispatchError) {
        guard !haveServed.load(ordering: .relaxed) else { return }
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw .system(operation: "open the descriptors that Dispatch waits with", code: errno)
            }
            descriptors.append(descriptor)
        }
    }

    /// A source of Dispatch has spoken.
    static func served() {
        if !haveServed.load(ordering: .relaxed) { haveServed.store(true, ordering: .relaxed) }
    }
}
