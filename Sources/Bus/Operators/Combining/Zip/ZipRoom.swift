import Glibc
public import Synchronization

/// How far each input of a `zip` is ahead of what was made of its values, so that it waits when it is too far.
@usableFromInline
final class ZipRoom: @unchecked Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let room = WaitingRoom()
    // One counter an input, atomic each; allocated and freed with this object, which everyone who counts holds.
    @usableFromInline let counters: UnsafeMutablePointer<Atomic<Int>>
    private let inputs: Int
    /// The thread that is subscribing while further inputs follow: making it wait for them would be for ever.
    private let subscriber = Atomic<UInt>(0)

    @usableFromInline
    init(inputs: Int, limit: Int) {
        self.inputs = inputs
        self.limit = max(1, limit)
        counters = .allocate(capacity: inputs)
        for index in 0..<inputs { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: inputs)
        counters.deallocate()
    }

    /// How often senders are told that there is room: that is costly, and a sender that is far ahead is in no hurry.
    @usableFromInline var wakeInterval: Int { max(1, limit / 4) }

    @usableFromInline
    func subscribes(lastOne: Bool) {
        subscriber.store(lastOne ? 0 : pthreadSelf(), ordering: .relaxed)
    }

    @usableFromInline
    func isFull(sent: Int, at index: Int) -> Bool {
        sent - counters[index].load(ordering: .acquiring) >= limit
    }

    /// Returns when there is room, or says why there will be none.
    @usableFromInline
    func wait<Downstream: Observer & ~Copyable>(
        sent: Int,
        at index: Int,
        in output: SerialObserver<Downstream>
    ) -> WaitingRoom.Admission {
        room.admit(
            mayWait: {
                let thread = pthreadSelf()
                return !output.isDelivering(on: thread)
                    && subscriber.load(ordering: .relaxed) != thread
            },
            isClosed: { output.isClosing },
            attempt: { !isFull(sent: sent, at: index) }
        )
    }
}
