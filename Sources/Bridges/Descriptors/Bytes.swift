public import Bus
public import SystemPackage

extension Signals {
    /// The bytes that are read from a descriptor, in the pieces in which they come. Cold: a subscription reads from
    /// the file's present position; two subscriptions share the bytes, and each piece reaches one.
    ///
    /// ```
    /// writer --abc---de------close
    /// bytes  --abc---de------|
    /// ```
    ///
    /// Pipes, sockets, terminals, devices and regular files. Nothing is read while the observer has not returned from
    /// the previous piece, nor while it pauses, as a `deliver(on:)` does whose queue is full: then the pipe fills and
    /// its writer waits.
    ///
    /// The descriptor stays the caller's, who may close it as soon as the subscription is made: a duplicate is read.
    /// Its flags are not touched, because they belong to everybody who shares the open file.
    ///
    /// - Ends: at the end of the file, when the last writer has closed, or when a terminal's other side is gone.
    /// - Fails: when the system refuses to read, to wait, or to duplicate the descriptor.
    /// - Cancelling: closes the duplicate; bytes that were not read stay in the pipe. A device or a terminal that can
    ///   be read only by a call that may block is read on a thread of its own; the piece that this thread reads at
    ///   the time is lost.
    /// - Pausing: stops watching the descriptor until the observer is ready. The kernel holds the bytes that come. An
    ///   end or a hangup is noticed after that.
    /// - Buffers: nothing; a piece at a time.
    /// - Thread: `scheduler`'s. A regular file is read there too, which waits for the disk.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to read; open when subscribed to.
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

    /// The bytes of a descriptor that this package owns, until its end or until told to finish.
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
