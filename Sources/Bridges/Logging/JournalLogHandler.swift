#if Logging
    public import Logging
    public import Records
    public import SystemdBridge

    /// A swift-log handler that writes to systemd's journal, with the metadata as fields one can filter by. It is there with the
    /// package's trait: `.package(path: "../busctl-rx", traits: ["Logging"])`.
    ///
    /// ```swift
    /// import LoggingBridge
    /// import Logging
    ///
    /// LoggingSystem.bootstrap({ label, provider in JournalLogHandler(label: label, metadataProvider: provider) },
    ///     metadataProvider: nil)
    /// let logger = Logger(label: "pump")
    /// logger.warning("pressure is low", metadata: ["bar": "0.7"])  // journalctl PRIORITY=4 LOGGER=pump BAR=0.7
    /// ```
    ///
    /// | field | what |
    /// | --- | --- |
    /// | `MESSAGE` | the message |
    /// | `PRIORITY` | critical 2, error 3, warning 4, notice 5, info 6, debug and trace 7 |
    /// | `LOGGER` | the logger's label |
    /// | `CODE_FILE`, `CODE_FUNC`, `CODE_LINE` | where it was said |
    /// | `ERROR` | the error that was logged with it |
    /// | `SYSLOG_IDENTIFIER` | the writer's, unless the metadata have one |
    /// | the metadata's keys | by `JournalFieldName(nearestTo:)`: `request-id` is `REQUEST_ID`. A dictionary under `http` becomes `HTTP_METHOD` and so on, an array several fields of one name. A key that is one of the fields above but the last gets `METADATA_` in front |
    ///
    /// An entry is handed to journald on the thread that logs, which never waits. While journald's queue is full, at
    /// most 1,024 entries wait for capacity, each for at most the writer's `patience`; if the process ends then, they are
    /// lost. Entries that are not written are given to `unwritten`.
    public struct JournalLogHandler: LogHandler {
        public var logLevel: Logger.Level = .info
        public var metadata: Logger.Metadata = [:]
        public var metadataProvider: Logger.MetadataProvider?
        private let label: String
        private let journal: JournalWriter
        private let unwritten: @Sendable (JournalWriteError, LogEvent) -> Void

        /// - Parameters:
        ///   - label: the logger's.
        ///   - journal: where to.
        ///   - metadataProvider: adds to the metadata of every entry.
        ///   - unwritten: called for an entry that journald does not take, on the logging thread or, when it has
        ///     waited, on that of `ThreadScheduler.shared`. By default the entry goes to standard error, where it
        ///     is seen when the program is run by hand.
        public init(
            label: String,
            journal: JournalWriter = .system,
            metadataProvider: Logger.MetadataProvider? = nil,
            unwritten: (@Sendable (JournalWriteError, LogEvent) -> Void)? = nil
        ) {
            self.label = label
            self.journal = journal
            self.metadataProvider = metadataProvider
            self.unwritten = unwritten ?? { _, event in Self.writeToStandardError(event, label) }
        }

        public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        public func log(event: LogEvent) {
            var message = JournalMessage(event.message.description, priority: Severity(event.level))
            message.add(label, for: Self.logger)
            message.add(event.file, for: Self.file)
            message.add(event.function, for: Self.function)
            message.add(String(event.line), for: Self.line)
            if let error = event.error { message.add("\(error)", for: Self.error) }
            for (key, value) in merged(event.metadata).sorted(by: { $0.key < $1.key }) {
                message.add(metadata: value, under: key)
            }
            journal.submit(message) { [unwritten] error in unwritten(error, event) }
        }

        private func merged(_ own: Logger.Metadata?) -> Logger.Metadata {
            var merged = metadata
            if let provided = metadataProvider?.get() { merged.merge(provided) { $1 } }
            if let own { merged.merge(own) { $1 } }
            return merged
        }

        private static let logger: JournalFieldName = "LOGGER"
        private static let file: JournalFieldName = "CODE_FILE"
        private static let function: JournalFieldName = "CODE_FUNC"
        private static let line: JournalFieldName = "CODE_LINE"
        private static let error: JournalFieldName = "ERROR"
        fileprivate static let reserved: Set<JournalFieldName> = [
            "MESSAGE", "PRIORITY", logger, file, function, line, error,
        ]

        private static func writeToStandardError(_ event: LogEvent, _ label: String) {
            StandardErrorLine.write("\(event.level) \(label): \(event.message)")
        }
    }

    extension JournalMessage {
        fileprivate mutating func add(metadata value: Logger.Metadata.Value, under key: String) {
            switch value {
            case .string(let text): add(text, for: Self.name(key))
            case .stringConvertible(let value): add(value.description, for: Self.name(key))
            case .array(let values): for value in values { add(metadata: value, under: key) }
            case .dictionary(let values):
                for (inner, value) in values.sorted(by: { $0.key < $1.key }) {
                    add(metadata: value, under: "\(key)_\(inner)")
                }
            }
        }

        private static func name(_ key: String) -> JournalFieldName {
            let name = JournalFieldName(nearestTo: key)
            return JournalLogHandler.reserved.contains(name) ? JournalFieldName(nearestTo: "METADATA_\(name)") : name
        }
    }

    extension Severity {
        /// The severity of a swift-log level: critical 2, error 3, warning 4, notice 5, info 6, debug and trace 7.
        public init(_ level: Logger.Level) {
            self =
                switch level {
                case .critical: .critical
                case .error: .error
                case .warning: .warning
                case .notice: .notice
                case .info: .info
                case .debug, .trace: .debug
                }
        }
    }
#endif
