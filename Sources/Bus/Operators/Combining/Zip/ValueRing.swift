/// A queue in one piece of memory. For a type that is not known until run time it costs only the copying of the
/// values.
///
/// (A `Deque` of such a type looks its own type up with every call.)
struct ValueRing<Value>: ~Copyable {
    // Allocated and freed here; `count` places from `start` on, wrapping round, are initialised.
    private var places: UnsafeMutablePointer<Value>
    private var capacity = 4
    private var start = 0
    private var count = 0

    init() {
        places = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count { (places + (start + index) % capacity).deinitialize(count: 1) }
        places.deallocate()
    }

    mutating func append(_ value: Value) {
        if count == capacity { grow() }
        (places + (start + count) % capacity).initialize(to: value)
        count += 1
    }

    mutating func removeFirst() -> Value {
        precondition(count > 0, "nothing waits")
        defer {
            start = (start + 1) % capacity
            count -= 1
        }
        return (places + start).move()
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        for index in 0..<count { (larger + index).moveInitialize(from: places + (start + index) % capacity, count: 1) }
        places.deallocate()
        places = larger
        start = 0
        capacity *= 2
    }
}
