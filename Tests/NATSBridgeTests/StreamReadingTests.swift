#if NATS
    import Bus
    import BusTesting
    import NATSBridge
    import TestSupport
    import Testing

    @Suite("The reading of a stream while the stream, the server or the permissions get in the way")
    struct StreamReadingTests {
        private static let configuration = #"jetstream { store_dir: "FOLDER/store" }"#

        private func makeStream(_ nats: NATSConnection, _ settings: String = "") async throws {
            try await ask(nats, "STREAM.CREATE.ORDERS", #"{"name":"ORDERS","subjects":["orders.*"]\#(settings)}"#)
        }

        private func ask(_ nats: NATSConnection, _ name: String, _ question: String = "") async throws {
            let answer = try await nats.request(question, to: "$JS.API.\(name)", timeout: .seconds(600))
            #expect(!answer.text.contains("\"error\""), "\(answer.text)")
        }

        private func store(_ numbers: ClosedRange<Int>, _ nats: NATSConnection) async throws {
            let messages = numbers.map { NATSMessage(subject: "orders.new", payload: Array("\($0)".utf8)) }
            _ = try await Signals.from(messages).publishAcknowledged(on: nats, timeout: .seconds(600))
                .collected(limit: .max)
        }

        /// Hears the first message, and the others when the latch opens.
        private func reader(
            _ nats: NATSConnection,
            _ hold: Latch,
            until isLast: @escaping @Sendable (NATSStreamItem) -> Bool
        ) -> Recorder<NATSStreamItem, NATSError> {
            Recorder(
                nats.messages(ofStream: "ORDERS", deliverOn: ThreadScheduler(name: "held")).take(
                    until: isLast,
                    includingMatch: true
                ),
                onNext: { _ in
                    hold.wait()
                    return .more
                }
            )
        }

        private func numbers(_ items: [NATSStreamItem]) -> [UInt64] {
            items.compactMap { item in if case .message(let delivery) = item { delivery.sequence } else { nil } }
        }

        private func gaps(_ items: [NATSStreamItem]) -> [UInt64?] {
            items.compactMap { item in if case .gap(let lost) = item { .some(lost) } else { nil } }
        }

        /// Purges the stream of 1,000 messages when a reader has heard the first; returns all that the reader heard.
        private func readingPurged(_ question: String) async throws -> [NATSStreamItem] {
            let server = try await TestNATSServer.start(Self.configuration)
            let nats = server.connection()
            try await makeStream(nats)
            try await store(1...1000, nats)
            let hold = Latch()
            let recorder = reader(server.connection(), hold) { $0 == .caughtUp }
            await until { recorder.valueCount == 1 }
            try await ask(nats, "STREAM.PURGE.ORDERS", question)
            hold.open()
            await offThePool { recorder.waitForEnd() }
            return recorder.values
        }

        @Test("All that is left of the stream is purged: a gap, then caughtUp")
        func purgedToTheEnd() async throws {
            let items = try await readingPurged("")
            let heard = numbers(items)
            #expect(heard == Array(1...UInt64(heard.count)) && heard.count < 1000)
            #expect(gaps(items) == [1000 - UInt64(heard.count)])
            #expect(items.suffix(1) == [.caughtUp])
        }

        @Test("A part of the stream is purged while it is read: a gap of as many messages")
        func purgedInTheMiddle() async throws {
            let items = try await readingPurged(#"{"seq":900}"#)
            let heard = numbers(items)
            #expect(heard == Array(1...UInt64(heard.count - 101)) + Array(900...1000))
            #expect(gaps(items) == [UInt64(1000 - heard.count)])
        }

        @Test("The server is restarted while a stream is read: reading goes on behind the last message")
        func restarted() async throws {
            let server = try await TestNATSServer.start(Self.configuration)
            let nats = server.connection()
            try await makeStream(nats)
            try await store(1...1000, nats)
            let hold = Latch()
            let recorder = reader(server.connection(), hold) { item in
                if case .message(let delivery) = item { delivery.sequence == 1010 } else { false }
            }
            await until { recorder.valueCount == 1 }
            await server.stop()
            try await server.restart()
            hold.open()
            await until { numbers(recorder.values).count >= 1000 }
            await server.stop()
            try await server.restart()
            try await nats.flush(timeout: .seconds(600))
            try await store(1001...1010, nats)
            await offThePool { recorder.waitForEnd() }
            #expect(numbers(recorder.values) == Array(1...1010) && gaps(recorder.values).isEmpty)
        }

        @Test("A user who may not acknowledge reads all the same")
        func withoutAcknowledgements() async throws {
            let users = """
                \(Self.configuration)
                authorization { users = [
                  { user: "all", password: "x" }
                  { user: "few", password: "x", permissions: { publish: ["$JS.API.>"] } }
                ] }
                """
            let server = try await TestNATSServer.start(users)
            let nats = server.connection { $0.authentication = .user("all", password: "x") }
            try await makeStream(nats)
            try await store(1...3000, nats)
            let reader = server.connection { $0.authentication = .user("few", password: "x") }
            let recorder = Recorder(
                reader.messages(ofStream: "ORDERS").take(
                    until: { item in
                        if case .message(let delivery) = item { delivery.sequence == 3500 } else { false }
                    },
                    includingMatch: true
                )
            )
            await until { recorder.values.contains(.caughtUp) }
            try await store(3001...3500, nats)
            await offThePool { recorder.waitForEnd() }
            #expect(numbers(recorder.values) == Array(1...3500) && gaps(recorder.values).isEmpty)
        }
    }
#endif
