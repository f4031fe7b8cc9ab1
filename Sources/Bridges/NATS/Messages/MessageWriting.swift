import CNATS

extension NATSMessage {
    /// Puts it into the output buffer of a connection, which may block until the server has read.
    func write(to connection: OpaquePointer) -> natsStatus {
        guard let reply else { return write(to: connection, reply: nil) }
        return reply.withCString { write(to: connection, reply: $0) }
    }

    /// The same with another reply subject.
    func write(to connection: OpaquePointer, reply: UnsafePointer<CChar>?) -> natsStatus {
        // Texts are lent to libnats. A text that is passed as it is would be copied first, which takes longer than to send it.
        subject.withCString { subject in
            payload.withUnsafeBytes { bytes in
                let data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                let count = CInt(clamping: bytes.count)
                guard headers.isEmpty else {
                    var message: OpaquePointer?
                    let status = natsMsg_Create(&message, subject, reply, data, count)
                    return status == NATS_OK ? writeHeaders(into: message, to: connection) : status
                }
                guard let reply else { return natsConnection_Publish(connection, subject, data, count) }
                return natsConnection_PublishRequest(connection, subject, reply, data, count)
            }
        }
    }

    /// Adds the headers to a message of libnats, sends it, and destroys it.
    private func writeHeaders(into message: OpaquePointer?, to connection: OpaquePointer) -> natsStatus {
        defer { if let message { NATSSpentMessages.shared.destroy(message, size: size) } }
        for field in headers.fields {
            let status = field.name.withCString { name in
                field.value.withCString { natsMsgHeader_Add(message, name, $0) }
            }
            if status != NATS_OK { return status }
        }
        return natsConnection_PublishMsg(connection, message)
    }
}
