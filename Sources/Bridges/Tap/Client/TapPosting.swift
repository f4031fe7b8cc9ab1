import Bus
import CLinux
import Glibc
import SystemPackage
package import Loop
import Records

/// One connection over which many values are posted, one after the other, without waiting for the answers.
// Unchecked: touched only on the loop's thread.
package final class TapPosting: @unchecked Sendable {
    package enum Event: Sendable {
        /// The program has answered the oldest post: nil, if it took the value.
        case answered(TapClientError?)
        /// Nothing more is answered.
        case ended(TapClientError)
    }

    private let path: String
    private let loop: EventLoop
    private let report: @Sendable (Event) -> Void
    private var descriptor: CInt
    private var interest: EventLoop.Watch?
    private var output = SendQueue()
    private var input = MessageBuffer(limit: 1 << 20)
    private var flushes = false
    private var isOver = false
    /// How many posts were not answered yet.
    package private(set) var unanswered = 0

    /// Connects.
    ///
    /// - Parameters:
    ///   - path: the socket of the tap.
    ///   - loop: on whose thread everything happens, this call included.
    ///   - report: is called there.
    package init(
        path: String,
        on loop: EventLoop,
        _ report: @escaping @Sendable (Event) -> Void
    ) throws(TapClientError) {
        self.path = path
        self.loop = loop
        self.report = report
        descriptor = try TapSocket.open(path, sending: [])
        do {
            interest = try loop.watch(descriptor, for: [.readable, .writable, .edge]) { [weak self] in self?.ready($0) }
        } catch {
            // `deinit` closes the socket.
            throw .cannotConnect(path: path, errno: .noMemory)
        }
    }

    deinit {
        close()
    }

    /// Bytes of posts that the socket has not taken yet.
    package var unsent: Int { output.count }

    /// Returns how many bytes the post has.
    package func post(_ json: [UInt8], to topic: String) -> Int {
        guard !isOver else { return 0 }
        let parameters = TapCallParameters.text { members in
            members.add("topic", topic)
            json.withUnsafeBytes { members.add("value", json: $0) }
        }
        let call = TapClient.message("\(TapInterface.name).Post", parameters, wantsMore: false)
        unanswered += 1
        output.append { output in call.withUnsafeBytes { output.append($0) } }
        guard !flushes else { return call.count }
        // Together with what is posted until then.
        flushes = true
        do {
            try loop.perform { [weak self] in self?.flush() }
        } catch {
            flush()
        }
        return call.count
    }

    private func ready(_ events: ReadyEvents) {
        guard !isOver else { return }
        if events.contains(.writable) { flush() }
        if !isOver { receive() }
    }

    /// Sends as much as the socket takes.
    package func flush() {
        flushes = false
        guard !isOver else { return }
        do throws(SendQueue.SendError) {
            _ = try output.flush(to: descriptor)
        } catch {
            // The program may have said why it ends the connection.
            receive()
            end(.disconnected(path: path))
        }
    }

    private func receive() {
        // The rest is read later, after the thread's other work.
        for _ in 0..<16 {
            let count = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
                let count = clinux_unix_receive(descriptor, buffer.baseAddress, min(buffer.count, input.freeCapacity))
                if count > 0 {
                    input.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                }
                return count
            }
            if count == -Int(EAGAIN) { return }
            while !isOver, let message = input.next() { read(message) }
            if isOver { return }
            if input.isTooLong { return end(.malformedReply(path: path, reason: "a reply has no end")) }
            if count <= 0 { return end(.disconnected(path: path)) }
        }
        do {
            try loop.perform { [weak self] in if let self, !isOver { receive() } }
        } catch {
            end(.disconnected(path: path))
        }
    }

    private func read(_ message: ArraySlice<UInt8>) {
        switch TapReply.read(message) {
        case .reply: answer(nil)
        case .error(let name, let parameters): answer(.refused(path: path, error: name, parameters: parameters))
        case .malformed(let reason): end(.malformedReply(path: path, reason: reason))
        }
    }

    private func answer(_ error: TapClientError?) {
        if unanswered == 0 {
            // The tap refuses the client.
            return end(error ?? .malformedReply(path: path, reason: "it answers what was not asked"))
        }
        unanswered -= 1
        report(.answered(error))
    }

    private func end(_ error: TapClientError) {
        guard !isOver else { return }
        close()
        report(.ended(error))
    }

    package func close() {
        guard !isOver else { return }
        isOver = true
        interest?.dispose()
        _ = Glibc.close(descriptor)
    }
}
