/// Room for one tuple whose elements come one by one, each from an input of its own.
///
/// Code that is generic over a pack is never specialised: every event would look its types up at run time, which costs
/// hundreds of nanoseconds. So only subscribing knows of the pack; an event knows its own element's address, and the
/// tuple as a whole.
final class TupleMemory: @unchecked Sendable {
    // Allocated and freed with this object. Its content is touched only in the order of delivery of the one output
    // that all inputs share.
    private let address: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - size: of the whole tuple, in bytes.
    ///   - alignment: of the whole tuple.
    init(size: Int, alignment: Int) {
        address = .allocate(byteCount: max(1, size), alignment: alignment)
    }

    deinit {
        address.deallocate()
    }

    /// Passes the tuple on, and leaves it in place. Every element must be in place.
    ///
    /// The tuple is not copyable here: otherwise it would be copied for every event, by looking its type up at run
    /// time.
    func send<Tuple: ~Copyable>(to next: (borrowing Tuple) -> Demand) -> Demand {
        next(address.assumingMemoryBound(to: Tuple.self).pointee)
    }

    /// Passes the tuple on, and leaves nothing in place. Every element must be in place.
    func move<Tuple>(to next: (Tuple) -> Demand) -> Demand {
        next(address.assumingMemoryBound(to: Tuple.self).move())
    }

    /// The place of an element; `offset` is the end of the one before it. Elements of a tuple lie in their order,
    /// each at the first place with the right alignment.
    func place<Element>(of type: Element.Type, after offset: inout Int) -> TupleSlot<Element> {
        let alignment = MemoryLayout<Element>.alignment
        let start = (offset + alignment - 1) / alignment * alignment
        offset = start + MemoryLayout<Element>.size
        return TupleSlot(memory: self, address: (address + start).assumingMemoryBound(to: type))
    }
}

extension TupleMemory {
    /// The place for the values of `signal`.
    func place<Element, Failure>(
        after offset: inout Int,
        for signal: AnySignal<Element, Failure>
    ) -> TupleSlot<Element> {
        place(of: Element.self, after: &offset)
    }
}

/// One element's place in a ``TupleMemory``.
final class TupleSlot<Element: Sendable>: @unchecked Sendable {
    // Touched only in the order of delivery of the one output that all inputs share.
    private let memory: TupleMemory
    private let address: UnsafeMutablePointer<Element>
    @exclusivity(unchecked) private(set) var isEmpty = true

    init(memory: TupleMemory, address: UnsafeMutablePointer<Element>) {
        self.memory = memory
        self.address = address
    }

    deinit {
        if !isEmpty { address.deinitialize(count: 1) }
    }

    /// Puts a value in place; returns whether there was none.
    func put(_ value: Element) -> Bool {
        if isEmpty {
            address.initialize(to: value)
            isEmpty = false
            return true
        }
        address.pointee = value
        return false
    }

    /// The value was moved out together with the tuple.
    func wasTaken() { isEmpty = true }
}

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

/// The downstream of a join of a pack, without its types, which closures know.
///
/// It is not generic, so that the code that joins the inputs and puts them in order is compiled for it once.
struct PackDownstream: Observer, ~Copyable {
    /// Sends the tuple that is in place.
    let emit: @Sendable () -> Demand
    let currentDemand: @Sendable () -> Demand
    let onWait: @Sendable (@escaping @Sendable () -> Void) -> Demand
    let onLoss: @Sendable (Int) -> Void
    let onEnd: @Sendable () -> Void

    /// Wraps a downstream. `Value` is the tuple: generic over the pack itself, it would look types up at every event.
    init<Value, Failure>(
        _ observer: consuming AnyObserver<Value, Failure>,
        memory: TupleMemory,
        keepsTuple: Bool,
        failure: PackFailure<Failure>
    ) {
        let (next, terminate) = (observer.onNext, observer.onTermination)
        if keepsTuple {
            emit = { memory.send(to: next) }
        } else {
            emit = { memory.move(to: next) }
        }
        currentDemand = observer.currentDemand
        onWait = observer.onWait
        onLoss = observer.onLoss
        onEnd = { terminate(failure.termination) }
    }

    mutating func next(_ value: Void) -> Demand { emit() }

    mutating func lost(_ count: Int) { onLoss(count) }

    consuming func terminate(_ termination: Termination<Never>) { onEnd() }

    var demand: Demand { currentDemand() }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { onWait(resume) }
}

extension AnyObserver {
    /// An observer made of closures only.
    init(
        next: @escaping @Sendable (Value) -> Demand,
        lost: @escaping @Sendable (Int) -> Void,
        terminate: @escaping @Sendable (Termination<Failure>) -> Void,
        demand: @escaping @Sendable () -> Demand,
        wait: @escaping @Sendable (@escaping @Sendable () -> Void) -> Demand
    ) {
        onNext = next
        onLoss = lost
        onTermination = terminate
        currentDemand = demand
        onWait = wait
    }
}

/// The failure that ends a join of a pack, kept until the end has its turn. Touched only in the order of delivery.
final class PackFailure<Failure: Error>: @unchecked Sendable {
    // See above.
    @exclusivity(unchecked) private var failure: Failure?

    func put(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
    }

    var termination: Termination<Failure> { failure.map { .failed($0) } ?? .completed }
}
