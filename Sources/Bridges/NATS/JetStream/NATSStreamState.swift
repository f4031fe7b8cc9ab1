#if NATS
    import JSONScan

    /// A stream as the server describes it, as far as reading needs that.
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

        /// Messages that are missing where a reading begins; nil if nobody knows how many.
        struct Missing: Sendable, Equatable {
            let count: UInt64?
        }

        /// Where a reading begins, in such a form that a reading which is interrupted before its first message begins there, too.
        func beginning(of start: NATSStart) -> (start: NATSStart, missing: Missing?) {
            switch start {
            case .new: (.after(last), nil)
            case .last where last == 0: (.first, nil)
            // Another stream of that name.
            case .after(let number) where number > last: (.first, Missing(count: nil))
            case .after(let number) where number &+ 1 < first: (start, Missing(count: first - number - 1))
            default: (start, nil)
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
