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
    func place<Element>(of type: Element.Type, after offset: inout Int) -> TuplePlace<Element> {
        let alignment = MemoryLayout<Element>.alignment
        let start = (offset + alignment - 1) / alignment * alignment
        offset = start + MemoryLayout<Element>.size
        return TuplePlace(memory: self, address: (address + start).assumingMemoryBound(to: type))
    }
}

extension TupleMemory {
    /// The place for the values of `signal`.
    func place<Element, Failure>(
        after offset: inout Int,
        for signal: AnySignal<Element, Failure>
    ) -> TuplePlace<Element> {
        place(of: Element.self, after: &offset)
    }
}

/// One element's place in a ``TupleMemory``.
final class TuplePlace<Element: Sendable>: @unchecked Sendable {
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
