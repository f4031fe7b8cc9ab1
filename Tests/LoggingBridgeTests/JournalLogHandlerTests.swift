#if Logging
    import BusTesting
    import Logging
    import LoggingBridge
    import SystemdBridge
    import TestSupport
    import Testing

    @Suite("swift-log into the journal")
    struct JournalLogHandlerTests {
        let receiver: DatagramReceiver
        let logger: Logger

        init() throws {
            let receiver = try DatagramReceiver()
            self.receiver = receiver
            let writer = JournalWriter(socket: receiver.name, identifier: "daemon")
            var logger = Logger(label: "pump") { label in JournalLogHandler(label: label, journal: writer) }
            logger.logLevel = .trace
            self.logger = logger
        }

        private func sent() throws -> JournalDatagram { try JournalDatagram(receiver.receive().bytes) }

        @Test("A message arrives with its place, its label and its metadata as fields")
        func fields() throws {
            var logger = logger
            logger[metadataKey: "request-id"] = "7"
            logger.warning(
                "low\npressure",
                metadata: [
                    "http": ["method": "GET", "status": .stringConvertible(200)], "tags": ["a", "b"],
                    "priority": "mine",
                    "request-id": "8",
                ]
            )
            let entry = try sent()
            #expect(entry["MESSAGE"] == ["low\npressure"])
            #expect(entry["PRIORITY"] == ["4"])
            #expect(entry["LOGGER"] == ["pump"])
            #expect(entry["CODE_FILE"] == ["LoggingBridgeTests/JournalLogHandlerTests.swift"])
            #expect(entry["CODE_FUNC"] == ["fields()"])
            #expect(entry["CODE_LINE"].first.flatMap { Int($0) } != nil)
            #expect(entry["SYSLOG_IDENTIFIER"] == ["daemon"])
            #expect(entry["REQUEST_ID"] == ["8"])
            #expect(entry["HTTP_METHOD"] == ["GET"])
            #expect(entry["HTTP_STATUS"] == ["200"])
            #expect(entry["TAGS"] == ["a", "b"])
            #expect(entry["METADATA_PRIORITY"] == ["mine"])
        }

        @Test(arguments: zip(Logger.Level.allCases, ["7", "7", "6", "5", "4", "3", "2"]))
        func levels(_ level: Logger.Level, _ priority: String) throws {
            logger.log(level: level, "a")
            #expect(try sent()["PRIORITY"] == [priority])
        }

        @Test("A provider's metadata ranks between the logger's and the message's own")
        func provider() throws {
            let writer = JournalWriter(socket: receiver.name)
            var logger = Logger(label: "a") { label in
                JournalLogHandler(
                    label: label,
                    journal: writer,
                    metadataProvider: .init { ["x": "provider", "y": "provider", "z": "provider"] }
                )
            }
            logger[metadataKey: "x"] = "logger"
            logger.error("a", metadata: ["y": "message"])
            let entry = try sent()
            #expect(entry["X"] + entry["Y"] + entry["Z"] == ["provider", "message", "provider"])
        }

        @Test("An entry that journald does not accept is reported")
        func unwritten() {
            let errors = Heard<String>()
            let writer = JournalWriter(socket: "/nowhere/socket")
            let logger = Logger(label: "a") { label in
                JournalLogHandler(label: label, journal: writer) { errors.append("\($0.reason) \($1.message)") }
            }
            logger.error("lost")
            #expect(errors.values == ["absent lost"])
        }

        @Test("While journald has no room nobody waits; entries arrive in order later, and excess ones are reported")
        func busy() throws {
            let impatient = JournalWriter(socket: receiver.name, patience: .zero)
            var before = 0
            while (try? impatient.write(JournalMessage("before"))) != nil { before += 1 }
            let errors = Heard<String>()
            let writer = JournalWriter(socket: receiver.name, patience: .seconds(100_000))
            let logger = Logger(label: "a") { label in
                JournalLogHandler(label: label, journal: writer) { errors.append("\($0.reason) \($1.message)") }
            }
            for number in 0..<1026 { logger.error("\(number)") }
            #expect(errors.values == ["busy 1024", "busy 1025"])
            let messages = try (0..<before + 1024).flatMap { _ in try sent()["MESSAGE"] }
            let areWhole = Array(messages.dropFirst(before)) == (0..<1024).map { "\($0)" }
            #expect(areWhole)
            // It may still be sending the last of the queued entries.
            logger.error("after")
            #expect(try sent()["MESSAGE"] == ["after"])
        }

        @Test("A change of one logger's metadata or level does not affect others")
        func values() throws {
            var other = logger
            other[metadataKey: "a"] = "1"
            other.logLevel = .critical
            #expect(logger.logLevel == .trace)
            logger.error("a")
            #expect(try sent()["A"] == [])
        }
    }
#endif
