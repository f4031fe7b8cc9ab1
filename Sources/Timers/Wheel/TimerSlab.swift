/// The storage of a wheel's timers: chunks of nodes that never move, named by a 32-bit index.
///
/// A chunk without timers is freed. One such chunk is kept, so that scheduling and cancelling a single timer again
/// and again does not allocate.
///
/// Only it owns its memory: `~Copyable`, no pointer outlives a call of the wheel, and `deinit` frees every chunk.
struct TimerSlab<Payload>: ~Copyable {
    typealias Node = TimerNode<Payload>

    private struct Chunk {
        /// Nil while the entry waits for reuse.
        var nodes: UnsafeMutablePointer<Node>?
        var used = 0
        /// Nodes from here on were never used and are not initialised, so an untouched page costs nothing.
        var fresh = 0
        var firstFree = Int32.none
        /// Neighbours among the chunks with free capacity; `next` also links the entries that wait for reuse.
        var next = Int32.none
        var previous = Int32.none
    }

    /// 2048 nodes. With a closure as payload that makes 96 KiB. This is below malloc's threshold for mapping (128
    /// KiB), so a chunk is cheap to get. It is above the size (64 KiB) at which freeing makes malloc merge free
    /// memory and return the heap's end to the system, so that the closures' memory is returned with the chunk's.
    private static var chunkBits: Int32 { 11 }
    private static var chunkSize: Int { 1 &<< Int(chunkBits) }

    private var chunks = ChunkTable<Chunk>()
    private var firstWithCapacity = Int32.none
    private var firstVacantEntry = Int32.none
    private var spare = Int32.none
    private var lastIdentity: UInt64 = 0

    /// How many chunks have memory, and the most there were since ``takeHasShrunk()`` last returned true.
    private var chunksInUse = 0
    private var chunksAtPeak = 0

    /// So many timers have gone that removing the last one is reported.
    private var isEmptying = false

    private(set) var count = 0

    init() {}

    deinit {
        for entry in 0..<chunks.count {
            let chunk = chunks.at(entry).pointee
            guard let nodes = chunk.nodes else { continue }
            nodes.deinitialize(count: chunk.fresh)
            nodes.deallocate()
        }
    }

    /// How many nodes there is memory for.
    var capacity: Int { chunksInUse * Self.chunkSize }

    /// Whether three quarters of a large number of timers have gone since this last returned true, or after that all
    /// of them: then it is worth giving the payloads' memory back too. At least 131,072 timers, so that normal use
    /// never reaches it.
    @inline(__always)
    mutating func takeHasShrunk() -> Bool {
        if isEmptying, count == 0 {
            isEmptying = false
            chunksAtPeak = chunksInUse
            return true
        }
        guard chunksAtPeak >= 64, chunksInUse &* 4 < chunksAtPeak else { return false }
        chunksAtPeak = chunksInUse
        isEmptying = true
        return true
    }

    /// The node at an index that the caller knows to be in use: it came from `insert` or from a link of a used node.
    @inline(__always)
    func node(_ index: Int32) -> UnsafeMutablePointer<Node> {
        // A chunk with a used node has memory, so the optional is never nil here.
        chunks.at(Int(index &>> Self.chunkBits)).pointee.nodes.unsafelyUnwrapped
            + Int(index & (1 &<< Self.chunkBits &- 1))
    }

    /// The node that a token names, or nil when that timer is gone.
    @inline(__always)
    func find(_ token: TimerToken) -> UnsafeMutablePointer<Node>? {
        let entry = Int(token.index &>> Self.chunkBits)
        guard token.index >= 0, entry < chunks.count, let nodes = chunks.at(entry).pointee.nodes else { return nil }
        let offset = Int(token.index) & (Self.chunkSize &- 1)
        guard offset < chunks.at(entry).pointee.fresh else { return nil }
        let node = nodes + offset
        return node.pointee.identity == token.identity && token.identity != 0 ? node : nil
    }

    mutating func insert(deadline: Int64, sequence: UInt64, payload: consuming Payload) -> TimerToken {
        if firstWithCapacity == .none { openChunk() }
        let entry = Int(firstWithCapacity)
        let index = takeNode(of: entry)
        lastIdentity &+= 1
        let node = node(index)
        node.pointee.deadline = deadline
        node.pointee.sequence = sequence
        node.pointee.payload = payload
        node.pointee.identity = lastIdentity
        count &+= 1
        return TimerToken(index: index, identity: lastIdentity)
    }

    /// Frees the node and returns its payload; the caller has unlinked it.
    mutating func remove(_ index: Int32) -> Payload? {
        let node = node(index)
        let payload = node.pointee.payload.take()
        node.pointee.identity = 0
        count &-= 1
        let entry = Int(index &>> Self.chunkBits)
        node.pointee.next = chunks.at(entry).pointee.firstFree
        chunks.at(entry).pointee.firstFree = index
        chunks.at(entry).pointee.used &-= 1
        if chunks.at(entry).pointee.used == 0 {
            unlink(entry)
            retire(entry)
        } else if chunks.at(entry).pointee.used == Self.chunkSize &- 1 {
            link(entry)
        }
        return payload
    }

    private mutating func takeNode(of entry: Int) -> Int32 {
        let index: Int32
        if chunks.at(entry).pointee.firstFree != .none {
            index = chunks.at(entry).pointee.firstFree
            chunks.at(entry).pointee.firstFree = node(index).pointee.next
        } else {
            index =
                Int32(truncatingIfNeeded: entry) &<< Self.chunkBits
                | Int32(truncatingIfNeeded: chunks.at(entry).pointee.fresh)
            node(index).initialize(to: Node())
            chunks.at(entry).pointee.fresh &+= 1
        }
        chunks.at(entry).pointee.used &+= 1
        if chunks.at(entry).pointee.used == Self.chunkSize { unlink(entry) }
        return index
    }

    private mutating func openChunk() {
        if spare != .none {
            link(Int(spare))
            spare = .none
            return
        }
        // Uninitialised memory of the size of a chunk, owned here until `retire` frees it.
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: Self.chunkSize)
        let entry: Int
        if firstVacantEntry != .none {
            entry = Int(firstVacantEntry)
            firstVacantEntry = chunks.at(entry).pointee.next
            chunks.at(entry).pointee = Chunk(nodes: nodes)
        } else {
            entry = chunks.count
            precondition(
                entry < 1 << (TimerToken.indexBits - Self.chunkBits),
                "more than 268 million timers are scheduled"
            )
            chunks.append(Chunk(nodes: nodes))
        }
        link(entry)
        chunksInUse += 1
        chunksAtPeak = max(chunksAtPeak, chunksInUse)
    }

    /// Keeps an empty chunk as the spare one, or gives it back.
    private mutating func retire(_ entry: Int) {
        guard spare != .none else {
            spare = Int32(truncatingIfNeeded: entry)
            return
        }
        if let nodes = chunks.at(entry).pointee.nodes {
            nodes.deinitialize(count: chunks.at(entry).pointee.fresh)
            nodes.deallocate()
        }
        chunks.at(entry).pointee = Chunk(nodes: nil, next: firstVacantEntry)
        chunksInUse -= 1
        firstVacantEntry = Int32(truncatingIfNeeded: entry)
    }

    private mutating func link(_ entry: Int) {
        let index = Int32(truncatingIfNeeded: entry)
        chunks.at(entry).pointee.previous = .none
        chunks.at(entry).pointee.next = firstWithCapacity
        if firstWithCapacity != .none { chunks.at(Int(firstWithCapacity)).pointee.previous = index }
        firstWithCapacity = index
    }

    private mutating func unlink(_ entry: Int) {
        let (previous, next) = (chunks.at(entry).pointee.previous, chunks.at(entry).pointee.next)
        if previous != .none { chunks.at(Int(previous)).pointee.next = next } else { firstWithCapacity = next }
        if next != .none { chunks.at(Int(next)).pointee.previous = previous }
    }
}

/// The slab alone owns its chunks (`~Copyable`, no pointer escapes), so it may move between threads with its
/// payloads.
extension TimerSlab: @unchecked Sendable where Payload: Sendable {}

/// One timer as the wheel stores it: 32 bytes and the payload.
struct TimerNode<Payload> {
    /// The true deadline. May be later than the slot in which the timer lies, never earlier.
    var deadline: Int64 = 0
    /// Orders timers of the same deadline: first scheduled, first out.
    var sequence: UInt64 = 0
    /// The neighbours in the list of the timer's slot; in a free node, `next` is the next free one.
    var next: Int32 = .none
    var previous: Int32 = .none
    var payload: Payload?
    /// The identity in the upper bits and the slot's number in the lower ones, in one word: a timer has to fit in 48
    /// bytes with a closure.
    private var identityAndSlot: UInt64 = 0

    private static var slotBits: UInt64 { 10 }
    private static var slotMask: UInt64 { (1 &<< slotBits) &- 1 }

    /// Zero when no timer is stored here. 54 bits: at ten million timers a second they last for 57 years.
    var identity: UInt64 {
        get { identityAndSlot &>> Self.slotBits }
        set { identityAndSlot = (newValue &<< Self.slotBits) | (identityAndSlot & Self.slotMask) }
    }

    var slot: Int {
        get { Int(truncatingIfNeeded: identityAndSlot & Self.slotMask) }
        set { identityAndSlot = (identityAndSlot & ~Self.slotMask) | UInt64(truncatingIfNeeded: newValue) }
    }
}

extension Int32 {
    /// Stands for no node where a link to a node is stored; an optional would take eight bytes.
    static var none: Int32 { -1 }
}

/// Entries that do not move while nothing is appended, changed in place: an array would check at every change whether
/// it is shared, several times for each timer.
///
/// Only it owns its memory: `~Copyable`, and `deinit` frees it. A pointer from `at(_:)` is used before the next
/// `append`.
struct ChunkTable<Entry>: ~Copyable {
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    private(set) var count = 0

    init() {
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deinitialize(count: count)
        entries.deallocate()
    }

    /// - Parameter index: below `count`.
    @inline(__always)
    func at(_ index: Int) -> UnsafeMutablePointer<Entry> { entries + index }

    mutating func append(_ entry: Entry) {
        if count == capacity {
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
            entries = larger
            capacity *= 2
        }
        (entries + count).initialize(to: entry)
        count += 1
    }
}
