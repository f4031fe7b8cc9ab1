#if NATS
    import JSONScan

    /// What the server says about a stream, as far as it is needed to read it.
    struct NATSStreamState {
        private(set) var first: UInt64 = 0
        private(set) var last: UInt64 = 0
        /// Whether a message that is acknowledged is taken out of the stream.
        private(set) var isWorkQueue = false

        init(_ payload: [UInt8]) {
            payload.withUnsafeBytes { bytes in
                var members = JSONMembers(bytes)
                while let member = members.next() {
                    switch JetStreamAnswer.text(member.name) {
                    case "state": readState(member.value)
                    case "config": readConfiguration(member.value)
                    default: break
                    }
                }
            }
        }

        private mutating func readState(_ value: UnsafeRawBufferPointer) {
            var members = JSONMembers(value)
            while let member = members.next() {
                switch JetStreamAnswer.text(member.name) {
                case "first_seq": first = UInt64(JetStreamAnswer.text(member.value)) ?? 0
                case "last_seq": last = UInt64(JetStreamAnswer.text(member.value)) ?? 0
                default: break
                }
            }
        }

        private mutating func readConfiguration(_ value: UnsafeRawBufferPointer) {
            var members = JSONMembers(value)
            while !isWorkQueue, let member = members.next() {
                isWorkQueue =
                    JetStreamAnswer.text(member.name) == "retention"
                    && JetStreamAnswer.text(member.value) == #""workqueue""#
            }
        }
    }
#endif
