#if NATS
    import CNATS

    extension NATSMessage {
        /// Puts it into the output buffer of a connection, which may block until the server has read.
        func write(to connection: OpaquePointer) -> natsStatus {
            guard let reply else { return write(to: connection, reply: nil) }
            return reply.withCString { write(to: connection, reply: $0) }
        }

        /// The same with another reply subject.
        func write(to connection: OpaquePointer, reply: UnsafePointer<CChar>?) -> natsStatus {
            payload.withUnsafeBytes { bytes in
                guard headers.isEmpty else { return writeWithHeaders(bytes, to: connection, reply) }
                let count = CInt(clamping: bytes.count)
                guard let reply else { return natsConnection_Publish(connection, subject, bytes.baseAddress, count) }
                return natsConnection_PublishRequest(connection, subject, reply, bytes.baseAddress, count)
            }
        }

        private func writeWithHeaders(
            _ bytes: UnsafeRawBufferPointer,
            to connection: OpaquePointer,
            _ reply: UnsafePointer<CChar>?
        ) -> natsStatus {
            var message: OpaquePointer?
            let data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var status = natsMsg_Create(&message, subject, reply, data, CInt(clamping: bytes.count))
            defer { if let message { NATSSpentMessages.shared.destroy(message, size: size) } }
            for field in headers.fields where status == NATS_OK {
                status = natsMsgHeader_Add(message, field.name, field.value)
            }
            return status == NATS_OK ? natsConnection_PublishMsg(connection, message) : status
        }
    }
#endif
