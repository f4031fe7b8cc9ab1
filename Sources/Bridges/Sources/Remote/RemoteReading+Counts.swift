import Bus
import JournalBridge
import Loop
import Records

extension RemoteReading {
    /// Reads the counts of a machine that counts its records itself, and sends them when they are complete.
    ///
    /// - Parameter head: the first bytes, where these are no counts.
    /// - Returns: how the connection ended; `nil` where entries come instead.
    func readCounts<Downstream: Observer & ~Copyable>(
        _ counts: RemoteCounts,
        from child: RemoteChild,
        _ head: inout [UInt8],
        _ place: RemotePlace,
        _ output: BlockingReaderOutput<Downstream>
    ) throws(SourceError) -> Ending? where Downstream.Value == Value, Downstream.Failure == SourceError {
        let stop = output.stopDescriptor
        var reader = CountLinesReader(counts.grouping, of: name)
        var isFirst = true
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { block.deallocate() }
        while output.isOpen {
            let count: Int?
            do throws(JournalError) {
                count = try Self.read(from: child, into: block, orUntilReadable: stop)
            } catch {
                return .lost(error.description)
            }
            guard let count else { break }
            // No entry begins with a brace.
            if isFirst, block[0] != UInt8(ascii: "{") {
                head = Array(block[..<count])
                return nil
            }
            isFirst = false
            do throws(CountLinesReader.Fault) {
                try reader.take(UnsafeRawBufferPointer(rebasing: block[..<count]))
            } catch {
                throw refusal(error)
            }
        }
        guard output.isOpen else { return .stopped }
        // Nothing came: there may be no entries.
        if isFirst { return nil }
        if let reason = child.reason(orUntilReadable: stop) { return output.isOpen ? .lost(reason) : .stopped }
        let answer: (counts: RecordCounts, gaps: [String])
        do throws(CountLinesReader.Fault) {
            answer = try reader.end()
        } catch {
            throw refusal(error)
        }
        for gap in answer.gaps + child.takeRemarks() {
            guard output.send(place.gap(lost: nil, gap)) else { return .stopped }
        }
        return output.send(.counts(answer.counts)) ? .complete : .stopped
    }

    private func refusal(_ fault: CountLinesReader.Fault) -> SourceError {
        SourceError(of: name, "its counts cannot be read: \(fault)")
    }
}
