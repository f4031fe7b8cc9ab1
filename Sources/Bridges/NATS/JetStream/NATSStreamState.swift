#if NATS
    import JSONScan

    /// A stream as the server describes it, as far as reading needs that.
    struct NATSStreamState {
        private(set) var first: UInt64 = 0
        private(set) var last: UInt64 = 0
        /// How many messages between the first and the last were removed.
        private(set) var removed: UInt64 = 0
        /// When the stream was made, as the server writes it: another stream of that name has another.
        private(set) var made: String?
        /// Whether a message that is acknowledged is taken out of the stream.
        private(set) var isWorkQueue = false

        init(_ payload: [UInt8]) {
            payload.withUnsafeBytes { bytes in
                var members = JSONMembers(bytes)
                while let member = members.next() {
                    switch JetStreamAnswer.text(member.name) {
                    case "created": made = JetStreamAnswer.string(member.value)
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

        struct Beginning: Sendable, Equatable {
            let start: NATSStart
            var missing: Missing?
            /// Whether all messages from there on are there, and all are read.
            let isDense: Bool
        }

        /// Where a reading begins, in such a form that a reading which is interrupted before its first message begins there, too.
        ///
        /// - Parameters:
        ///   - subject: which is read; nil for all.
        ///   - isAnother: whether it is not the stream that the number in `start` is of.
        func beginning(of start: NATSStart, subject: String? = nil, isAnother: Bool = false) -> Beginning {
            let isDense = removed == 0 && subject == nil
            return switch start {
            case .new: Beginning(start: .after(last), isDense: isDense)
            case .last where last == 0: Beginning(start: .first, isDense: isDense)
            case .after(let number) where number > last || isAnother:
                Beginning(start: .first, missing: Missing(count: nil), isDense: isDense)
            case .after(let number) where number &+ 1 < first:
                Beginning(start: .after(first - 1), missing: Missing(count: first - number - 1), isDense: isDense)
            default: Beginning(start: start, isDense: isDense)
            }
        }

        private mutating func readState(_ value: UnsafeRawBufferPointer) {
            var members = JSONMembers(value)
            while let member = members.next() {
                switch JetStreamAnswer.text(member.name) {
                case "first_seq": first = UInt64(JetStreamAnswer.text(member.value)) ?? 0
                case "last_seq": last = UInt64(JetStreamAnswer.text(member.value)) ?? 0
                case "num_deleted": removed = UInt64(JetStreamAnswer.text(member.value)) ?? 0
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
