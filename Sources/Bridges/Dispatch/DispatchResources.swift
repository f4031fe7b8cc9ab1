import Glibc
import Synchronization

/// Makes sure that Dispatch gets the descriptors that it needs for itself.
///
/// Dispatch opens an epoll descriptor, an eventfd, and a timerfd for each clock when it first needs them. If the
/// system has none left, the process ends there, or the timers never run; neither can be reported afterwards.
enum DispatchResources {
    private static let haveServed = Atomic<Bool>(false)
    private static let needed = 5

    /// - Throws: when Dispatch has not served anything yet and there are too few descriptors left for it to begin.
    ///   Another thread may still take them at the next moment.
    static func check() throws(DispatchError) {
        guard !haveServed.load(ordering: .relaxed) else { return }
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw DispatchError(operation: "open the descriptors that Dispatch waits with", code: errno)
            }
            descriptors.append(descriptor)
        }
    }

    /// A source of Dispatch has spoken.
    static func served() {
        if !haveServed.load(ordering: .relaxed) { haveServed.store(true, ordering: .relaxed) }
    }
}
