#if NATS
    import Bus

    /// A message on its way to an observer, and its share of the memory that the subscription's messages may take.
    struct NATSParcel: Sendable {
        let message: NATSMessage
        let share: MemoryRoom.Share?
    }
#endif
