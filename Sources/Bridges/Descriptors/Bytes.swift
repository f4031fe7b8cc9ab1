public import Bus
public import SystemPackage

extension Signals {
    /// What is read from a descriptor, in the pieces in which it comes. Cold: a subscription reads from where the file
    /// stands; two of them share what comes, each piece reaching one.
    ///
    /// ```
    /// writer --abc---de------close
    /// bytes  --abc---de------|
    /// ```
    ///
    /// Pipes, sockets, terminals, devices and regular files. Nothing is read while the observer has not returned from
    /// the piece before, nor while it pauses, as a `deliver(on:)` does whose queue is full: then the pipe fills and its
    /// writer waits.
    ///
    /// The descriptor stays the caller's, who may close it as soon as the subscription is made: what is read is a
    /// duplicate. Its flags are not touched: that belongs to everybody who shares the open file.
    ///
    /// - Ends: at the end of the file, when the last writer has closed, or when a terminal's other side is gone.
    /// - Fails: when the system refuses to read, to wait, or to duplicate the descriptor.
    /// - Cancelling: closes the duplicate; what was not read stays in the pipe. A device or a terminal that can only be read by a
    ///   call that may block is read on a thread of its own; the piece that this thread reads at the time is lost.
    /// - Pausing: stops watching the descriptor until the observer is ready. The kernel holds what comes. An end or a
    ///   hangup is noticed after that.
    /// - Buffers: nothing; a piece at a time.
    /// - Thread: `scheduler`'s. A regular file is read there too, which waits for the disk.
    ///
    /// - Parameters:
    ///   - descriptor: what is read; open when subscribed to.
    ///   - chunk: how many bytes a piece has at most.
    ///   - scheduler: where it is read and heard. An observer that takes long is better given a scheduler of its own
    ///     than the shared one.
    @inlinable
    public static func bytes(
        from descriptor: FileDescriptor,
        chunk: Int = 65_536,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<[UInt8], DescriptorError> {
        // Composed where the observer's type is known: elsewhere every event would look up its generic types.
        create(of: [UInt8].self, failure: DescriptorError.self) { emitter in
            readBytes(of: descriptor, chunk, on: scheduler, into: emitter)
        }
        .named("bytes(\(descriptor.rawValue))")
    }

    @usableFromInline
    static func readBytes(
        of descriptor: FileDescriptor,
        _ chunk: Int,
        on scheduler: any Scheduler,
        into emitter: Emitter<[UInt8], DescriptorError>
    ) -> (any Disposable)? {
        do throws(DescriptorError) {
            return try DescriptorReader(
                OwnedDescriptor.duplicate(of: descriptor.rawValue),
                name: "descriptor \(descriptor.rawValue)",
                chunk: chunk,
                on: scheduler,
                emitter
            )
        } catch {
            emitter.fail(error)
            return nil
        }
    }

    /// What is read from a descriptor that is this package's own, until its end or until it is told to finish.
    package static func bytes(
        owned descriptor: OwnedDescriptor,
        name: String,
        chunk: Int = 65_536,
        on scheduler: some Scheduler,
        started: @escaping @Sendable (DescriptorReader) -> Void
    ) -> some Signal<[UInt8], DescriptorError> {
        create(of: [UInt8].self, failure: DescriptorError.self) { emitter in
            do throws(DescriptorError) {
                let reader = try DescriptorReader(descriptor, name: name, chunk: chunk, on: scheduler, emitter)
                started(reader)
                return reader
            } catch {
                emitter.fail(error)
                return nil
            }
        }
    }
}
