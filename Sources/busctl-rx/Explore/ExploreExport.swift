import Bus
import RecordSources
import Records
import SystemPackage

/// Writes what is selected into a file of its own.
enum ExploreExport {
    /// - Parameters:
    ///   - file: does not exist yet.
    ///   - report: called once, on another thread, with what became of it.
    /// - Returns: ends the writing. The file then has what was written until then.
    static func write(
        _ text: AnySignal<[UInt8], SourceError>,
        to file: String,
        report: @escaping @Sendable (String) -> Void
    ) -> any Disposable {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                FilePath(file),
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
        } catch {
            report("cannot make the file \(file): \(error)")
            return FinishedDisposable()
        }
        let written = Lock(0)
        let running = CompoundDisposable()
        let end: @Sendable (String) -> Void = { message in
            do {
                try descriptor.close()
                report(message)
            } catch {
                report("cannot write \(file): \(error)")
            }
        }
        running.add(
            text.deliver(on: ThreadScheduler(name: "busctl-output"), limit: 64).subscribe(
                next: { bytes in
                    if running.isDisposed { return }
                    do {
                        try descriptor.writeAll(bytes)
                        written.withLock { $0 += bytes.count }
                    } catch {
                        running.dispose()
                        end(
                            "cannot write \(file): \(error). It has \(written.withLock { $0 }) bytes of what is selected"
                        )
                    }
                },
                failed: { end("\($0.description). \(file) has \(written.withLock { $0 }) bytes of what is selected") },
                completed: { end("\(file): \(written.withLock { $0 }) bytes are written") }
            )
        )
        return running
    }
}

extension Signal where Value == Record, Failure == SourceError {
    /// Each record as text.
    consuming func text(as format: RecordFormat, isUTC: Bool) -> AnySignal<[UInt8], SourceError> {
        var style = RecordStyle(format)
        style.isUTC = isUTC
        let writer = Lock(RecordWriter(style))
        return map { record in writer.withLock { $0.text(of: record) } }.eraseToAnySignal()
    }
}
