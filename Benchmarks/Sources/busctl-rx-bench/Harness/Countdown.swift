/// Reports when this many events have been heard, repeatedly.
struct Countdown: @unchecked Sendable {
    // Used by one thread at a time: the one that hears. It is small and not freed, because that thread may hear a
    // little longer.
    private let left: UnsafeMutablePointer<Int>
    private let start: Int
    private let isOver: @Sendable () -> Void

    init(from start: Int, _ isOver: @escaping @Sendable () -> Void) {
        self.start = start
        self.isOver = isOver
        left = .allocate(capacity: 1)
        left.initialize(to: start)
    }

    func count() {
        left.pointee -= 1
        guard left.pointee == 0 else { return }
        left.pointee = start
        isOver()
    }
}
