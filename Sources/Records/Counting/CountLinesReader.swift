import Glibc
import JSONScan

/// Reads counts that another process has written as ``CountLines``. They may come from anyone: a line, all lines together, and the numbers of
/// groups and gaps are bounded, and the groups have to make the total.
package struct CountLinesReader: Sendable {
    /// What is wrong, with the line's number, for a person to read.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// As long as an entry of a stream may be.
    private static let maxLineLength = 16 << 20
    package static let maxLength = 64 << 20

    /// No line has more members besides the fields.
    private static let maxOtherMembers = 3

    private enum Place {
        case header, groups, end
    }

    private let grouping: RecordGrouping
    private let names: [[UInt8]]
    /// The numbers of the fields that are the source's name, and what it is called here.
    private let sources: [Int]
    private let source: String
    private var place = Place.header
    private var number = 1
    private var length = 0
    /// The beginning of a line.
    private var rest: [UInt8] = []
    private var counts = RecordCounts()
    /// What the groups make together.
    private var sum = 0
    private var rows = 0
    private var gapMessages: [String] = []

    /// - Parameters:
    ///   - grouping: by what is counted.
    ///   - source: the name of the source here, which a group has in place of its own.
    package init(_ grouping: RecordGrouping, of source: String) {
        self.grouping = grouping
        self.source = source
        sources = grouping.fields.indices.filter { grouping.fields[$0].text == CommonField.source.rawValue }
        names =
            (grouping.hasSpans ? ["time"] : []).map { Array($0.utf8) } + grouping.fields.map { Array($0.text.utf8) }
    }

    /// Reads the bytes that come next.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        length += bytes.count
        guard length <= Self.maxLength else { throw fault("there are more than \(Self.maxLength >> 20) MiB") }
        var start = 0
        while let end = Self.lineFeed(in: bytes, from: start) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            try requireRoom(for: part.count)
            if rest.isEmpty {
                try line(part)
            } else {
                rest += part
                let whole = rest
                rest.removeAll(keepingCapacity: true)
                try whole.withUnsafeBufferPointer { (whole) throws(Fault) in try line(UnsafeRawBufferPointer(whole)) }
            }
            number += 1
        }
        try requireRoom(for: bytes.count - start)
        rest += bytes[start...]
    }

    /// The place of the next line feed, if there is one.
    private static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }

    /// The counts and the gaps, behind the last byte.
    package func end() throws(Fault) -> (counts: RecordCounts, gaps: [String]) {
        guard rest.isEmpty, place == .end else { throw fault("it ends too early") }
        return (counts, gapMessages)
    }

    private func requireRoom(for count: Int) throws(Fault) {
        guard rest.count + count <= Self.maxLineLength else {
            throw fault("it is longer than \(Self.maxLineLength >> 20) MiB")
        }
    }

    private func fault(_ reason: String) -> Fault { Fault(description: "line \(number): \(reason)") }

    // MARK: Lines

    private mutating func line(_ text: UnsafeRawBufferPointer) throws(Fault) {
        var scan = JSONMembers(text)
        var members: [JSONMembers.Member] = []
        while members.count < names.count + Self.maxOtherMembers, let member = scan.next() { members.append(member) }
        guard scan.isComplete, let last = members.last else { throw fault("it is no line of counts") }
        switch place {
        case .header:
            guard members.count == 1, last.isNamed("counts"), Self.count(last.value) == CountLines.version else {
                throw fault("it is no header of version \(CountLines.version)")
            }
            place = .groups
        case .groups where last.isNamed("count"): try group(members, last)
        case .groups where last.isNamed("message"): try gap(members, last)
        case .groups where last.isNamed("others"): try trailer(members, last)
        case .groups: throw fault("it is neither a group nor a gap nor the trailer")
        case .end: throw fault("it comes behind the trailer")
        }
    }

    private mutating func group(_ members: [JSONMembers.Member], _ last: JSONMembers.Member) throws(Fault) {
        guard members.count == names.count + 1, zip(members, names).allSatisfy(Self.isNamed) else {
            throw fault("it has other fields than the ones that were asked for")
        }
        guard let count = Self.count(last.value), count > 0 else { throw fault("its count is no whole number above 0") }
        rows += 1
        guard rows <= RecordCounts.maxRows else { throw fault("there are more than \(RecordCounts.maxRows) groups") }
        let (more, isBeyond) = sum.addingReportingOverflow(count)
        if isBeyond { throw fault("the counts together are too large") }
        var values: [String?] = []
        for member in members.dropLast() {
            if member.value.elementsEqual("null".utf8) {
                values.append(nil)
            } else {
                guard let text = Self.text(member.value) else { throw fault("a value is neither text nor null") }
                values.append(text)
            }
        }
        var time = RecordTime(microseconds: 0)
        if grouping.hasSpans {
            let text = values.removeFirst().map { Array($0.utf8) } ?? []
            guard let begin = text.withUnsafeBytes({ RecordTime.read($0) }), grouping.begin(of: begin) == begin else {
                throw fault("its time does not begin a span")
            }
            time = begin
        }
        for index in sources { values[index] = source }
        counts.add(count, of: RecordCounts.Key(time: time, values: values))
        sum = more
    }

    private mutating func gap(_ members: [JSONMembers.Member], _ last: JSONMembers.Member) throws(Fault) {
        guard members.dropLast().contains(where: { $0.isNamed("gap") && $0.value.elementsEqual("true".utf8) }),
            let message = Self.text(last.value)
        else { throw fault("it is no gap") }
        guard gapMessages.count < CountLines.maxGaps else {
            throw fault("there are more than \(CountLines.maxGaps) gaps")
        }
        gapMessages.append(message)
    }

    private mutating func trailer(_ members: [JSONMembers.Member], _ last: JSONMembers.Member) throws(Fault) {
        guard members.count == 2, members[0].isNamed("total"), let total = Self.count(members[0].value),
            let others = Self.count(last.value)
        else { throw fault("it is no trailer") }
        let (whole, isBeyond) = sum.addingReportingOverflow(others)
        guard !isBeyond, whole == total else { throw fault("the groups do not make the total of \(total)") }
        counts.addOthers(others)
        place = .end
    }

    // MARK: Values

    private static func isNamed(_ member: JSONMembers.Member, _ name: [UInt8]) -> Bool {
        var isEqual = false
        member.withName { isEqual = $0.elementsEqual(name) }
        return isEqual
    }

    /// A whole number, in digits alone.
    private static func count(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count <= 19, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    /// A text in quotes, or, as one with control characters is written, the numbers of its bytes.
    private static func text(_ value: UnsafeRawBufferPointer) -> String? {
        guard value.count >= 2 else { return nil }
        let inner = UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1])
        let bytes: [UInt8]? =
            switch (value[0], value[value.count - 1]) {
            case (UInt8(ascii: "\""), UInt8(ascii: "\"")): JSONEscapes.removed(from: inner)
            case (UInt8(ascii: "["), UInt8(ascii: "]")): Self.bytes(inner)
            default: nil
            }
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func bytes(_ list: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        for number in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let byte = count(UnsafeRawBufferPointer(rebasing: number)).flatMap({ UInt8(exactly: $0) }) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
