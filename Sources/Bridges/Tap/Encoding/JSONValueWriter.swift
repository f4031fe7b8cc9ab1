import Bus
import Records

/// The text of a value that is being encoded.
///
/// A value is written in the order in which it encodes its parts. A container that `nestedContainer` or
/// `superEncoder` made may be written to later than the parts after it; it has a writer of its own, whose text is
/// inserted at the end.
final class JSONValueWriter {
    enum Kind {
        /// No container was asked for yet.
        case empty
        case keyed
        case unkeyed
        case single
    }

    /// A value that has begun to encode itself and has not returned.
    struct Level {
        /// Tells it from others that were at the same depth before. A container that is kept beyond its time is recognized by it.
        let id: UInt64
        /// The value's key in the enclosing one; nil where it has a position instead.
        let key: (any CodingKey)?
        var kind = Kind.empty
        /// Members, elements or values written.
        var count = 0
    }

    let run: EncodingRun
    // One thread uses these, and they are not lent to code that is called meanwhile.
    @exclusivity(unchecked) var output = OutputBuffer(capacity: 512)
    @exclusivity(unchecked) private(set) var levels: [Level] = []
    @exclusivity(unchecked) private var lastID: UInt64 = 0
    /// Bytes that ``run`` knows of.
    @exclusivity(unchecked) private var counted = 0
    /// Writers whose text is inserted into this one's.
    @exclusivity(unchecked) private var inserted: [(place: Int, writer: JSONValueWriter)] = []
    private let prefix: [any CodingKey]
    private let baseDepth: Int

    init(_ run: EncodingRun, prefix: [any CodingKey] = [], depth: Int = 0) {
        self.run = run
        self.prefix = prefix
        baseDepth = depth
    }

    /// Begins another value. Containers of the previous one write nothing any more.
    func reset(_ topic: TopicName) {
        run.reset(topic)
        output.removeAll()
        levels.removeAll(keepingCapacity: true)
        counted = 0
        inserted.removeAll(keepingCapacity: true)
    }

    var codingPath: [any CodingKey] { prefix + levels.compactMap(\.key) }

    /// Begins a value; returns the container's handle.
    func push(_ key: (any CodingKey)?) throws -> JSONValueEncoder {
        guard baseDepth + levels.count < run.bounds.depth else { throw run.fail(.tooDeep(run.bounds.depth)) }
        lastID += 1
        levels.append(Level(id: lastID, key: key))
        return JSONValueEncoder(writer: self, level: levels.count - 1, id: lastID)
    }

    /// Ends the value that began last.
    func pop() {
        guard let level = levels.popLast() else { return }
        switch level.kind {
        case .keyed: output.append("}")
        case .unkeyed: output.append("]")
        case .single where level.count > 0: break
        case .empty, .single: output.append("{}")
        }
    }

    /// Whether a level is that of a container, and the one to be written to.
    func isCurrent(_ level: Int, _ id: UInt64) -> Bool {
        level == levels.count - 1 && levels[level].id == id
    }

    /// Makes the level one of a kind. False if it is of another kind already.
    func begin(_ kind: Kind, _ level: Int, _ id: UInt64) -> Bool {
        guard isCurrent(level, id) else { return false }
        if levels[level].kind == kind { return true }
        guard levels[level].kind == .empty else { return false }
        levels[level].kind = kind
        if kind == .keyed { output.append("{") } else if kind == .unkeyed { output.append("[") }
        return true
    }

    /// Writes one part of a level: the separator, and then the output of `body`. If that fails, nothing is written.
    func part(
        _ level: Int,
        _ id: UInt64,
        _ kind: Kind,
        key: (any CodingKey)?,
        _ body: () throws -> Void
    ) throws {
        if let problem = run.problem { throw problem }
        guard isCurrent(level, id), levels[level].kind == kind, kind != .single || levels[level].count == 0 else {
            throw run.fail(.malformed("a container was written to that had ended, or twice"))
        }
        let before = output.count
        do {
            if levels[level].count > 0 { output.append(",") }
            if kind == .keyed, let key {
                append(key.stringValue)
                output.append(":")
            }
            if kind != .single, isHidden(key) {
                output.append(Self.redacted)
            } else {
                try body()
            }
            levels[level].count += 1
            try settle()
        } catch {
            output.truncate(to: before)
            inserted.removeAll { $0.place > before }
            // Levels that a failing value left open.
            levels.removeSubrange((level + 1)...)
            throw error
        }
    }

    static let redacted: StaticString = "\"<redacted>\""

    private func isHidden(_ key: (any CodingKey)?) -> Bool {
        guard let redact = run.bounds.redact, let key else { return false }
        return redact(run.topic, codingPath.map(\.stringValue) + [key.stringValue])
    }

    /// A writer whose text will be inserted here.
    func insert(_ key: any CodingKey) -> JSONValueWriter {
        let writer = JSONValueWriter(run, prefix: codingPath + [key], depth: baseDepth + levels.count)
        inserted.append((output.count, writer))
        return writer
    }

    /// A writer whose text is discarded. It is as deep as the value it replaces, so that a value without end ends
    /// there, too.
    func nowhere(_ key: any CodingKey) -> JSONValueWriter {
        JSONValueWriter(run, prefix: run.problem == nil ? codingPath + [key] : [], depth: baseDepth + levels.count)
    }

    func append(_ text: String) {
        guard text.utf8.count <= run.bounds.size else {
            _ = run.fail(.tooLarge)
            return
        }
        var text = text
        text.withUTF8 { JSONText.append(text: UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Tells the run how much was written.
    func settle() throws {
        let change = output.count - counted
        counted = output.count
        try run.count(change)
    }

    /// Appends all of the text.
    func finish(into target: inout OutputBuffer) {
        while !levels.isEmpty { pop() }
        output.withBytes { bytes in
            var start = 0
            for (place, writer) in inserted {
                target.append(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
                writer.finish(into: &target)
                start = place
            }
            target.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }
}
