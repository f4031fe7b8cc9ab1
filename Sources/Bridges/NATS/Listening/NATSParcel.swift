#if NATS
    import Bus

    /// A message on its way to an observer, and its share of the memory that the subscription's messages may take.
    @usableFromInline
    struct NATSParcel: Sendable {
        @usableFromInline let message: NATSMessage
        let share: MemoryRoom.Share?
    }
#endif
