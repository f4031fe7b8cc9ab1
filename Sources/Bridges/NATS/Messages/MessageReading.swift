#if NATS
    import CNATS
    import Glibc

    extension NATSMessage {
        /// A copy of a message of libnats.
        init(reading message: OpaquePointer) {
            let count = Int(natsMsg_GetDataLength(message))
            let data = natsMsg_GetData(message)
            self.init(
                subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
                reply: natsMsg_GetReply(message).map { String(cString: $0) },
                headers: NATSHeaders(reading: message),
                payload: data.map { Array(UnsafeRawBufferPointer(start: $0, count: max(0, count))) } ?? []
            )
        }
    }

    extension NATSHeaders {
        fileprivate init(reading message: OpaquePointer) {
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var count: CInt = 0
            guard natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names else {
                self.init()
                return
            }
            // The list is the caller's; the texts in it are the message's.
            defer { free(names) }
            let sorted = (0..<Int(count)).compactMap { names[$0].map { String(cString: $0) } }.sorted()
            self.init(sorted.flatMap { name in Self.values(of: name, in: message).map { Field(name, $0) } })
        }

        private static func values(of name: String, in message: OpaquePointer) -> [String] {
            var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var count: CInt = 0
            guard natsMsgHeader_Values(message, name, &values, &count) == NATS_OK, let values else { return [] }
            defer { free(values) }
            return (0..<Int(count)).compactMap { values[$0].map { String(cString: $0) } }
        }
    }
#endif
