import CNATS

/// A connection of libnats. Releasing the last reference closes it and waits for its threads, so no thread
/// of libnats holds one.
// Unchecked: libnats locks inside, and the pointer is valid until deinit.
final class NATSHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        natsConnection_Destroy(pointer)
    }

    /// Waits until the server has answered a ping.
    ///
    /// - Returns: why there is no answer, if so.
    func flush(_ timeout: Duration) -> NATSError.Reason? {
        // libnats returns NATS_OK also when it could not write the ping. Then the failure of the write is the thread's last error. A
        // success leaves the last error as it was, so it is set to another one first.
        let mark = natsConnection_FlushTimeout(nil, 1)
        let status = natsConnection_FlushTimeout(pointer, timeout.natsMilliseconds)
        guard status == NATS_OK else { return NATSError.Reason(status) }
        var last = mark
        _ = nats_GetLastError(&last)
        return last == mark ? nil : NATSError.Reason(last)
    }

    /// How many times libnats has reached a server again after a loss; nil while the connection is lost.
    ///
    /// While it stays the same number, the connection is not lost.
    var reconnects: UInt64? {
        var statistics: OpaquePointer?
        guard natsStatistics_Create(&statistics) == NATS_OK else { return nil }
        defer { natsStatistics_Destroy(statistics) }
        var count: UInt64 = 0
        // Asked first, so that a loss after this call makes it nil now, or another number the next time.
        natsConnection_GetStats(pointer, statistics)
        natsStatistics_GetCounts(statistics, nil, nil, nil, nil, &count)
        return natsConnection_IsReconnecting(pointer) ? nil : count
    }

    /// Ends the connection. A flush that is under way fails.
    func close() { natsConnection_Close(pointer) }

    /// How many bytes the server takes in one message; nil while it is unknown.
    var maxMessageSize: Int? {
        let size = natsConnection_GetMaxPayload(pointer)
        return size > 0 ? Int(size) : nil
    }

    /// The server that it is connected to, without user and password; empty when there is none.
    var server: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
            guard let start = buffer.baseAddress,
                natsConnection_GetConnectedUrl(pointer, start, buffer.count) == NATS_OK
            else { return "" }
            return NATSAddress.withoutSecrets(String(cString: start))
        }
    }
}
