/// Taking text apart and putting it together.
enum TextJoining {
    static func join(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .list(let elements) = arguments[0] else { return .failure(.noOverload) }
        var separator = UnsafeRawBufferPointer(start: nil, count: 0)
        if arguments.count > 1 {
            guard case .string(let text) = arguments[1] else { return .failure(.noOverload) }
            separator = text
        }
        var result: [UInt8] = []
        for (place, element) in elements.enumerated() {
            guard case .string(let text) = element else { return .failure(.noOverload) }
            let count = text.count + separator.count
            guard state.allowance.payForText(count) else { return .failure(.tooCostly) }
            guard state.arena.mayHold(result.count + count) else { return .failure(.tooLarge) }
            if place > 0 { result += separator }
            result += text
        }
        return .success(.string(state.arena.text(result)))
    }

    /// At most so many occurrences, from the left; all of them when the limit is negative. An empty part is found
    /// around every code point.
    static func replace(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .string(let part) = arguments[1],
            case .string(let replacement) = arguments[2], var left = limit(arguments, at: 3)
        else { return .failure(.noOverload) }
        var result: [UInt8] = []
        var position = 0
        var searched = 0
        while left != 0, let found = occurrence(of: part, in: text, from: searched) {
            guard state.allowance.payForText(part.count + replacement.count) else { return .failure(.tooCostly) }
            guard state.arena.mayHold(result.count + replacement.count + text.bytes.count) else {
                return .failure(.tooLarge)
            }
            result += text.slice(position..<found)
            result += replacement
            position = found + part.count
            searched = part.isEmpty ? (found < text.bytes.count ? text.end(at: found) : found + 1) : position
            // The least number of all has none below it.
            if left > 0 { left -= 1 }
        }
        result += text.slice(position..<text.bytes.count)
        return .success(.string(state.arena.text(result)))
    }

    private static func occurrence(of part: UnsafeRawBufferPointer, in text: CodePoints, from start: Int) -> Int? {
        guard start <= text.bytes.count else { return nil }
        return ByteText.firstOffset(of: part, in: text.slice(start..<text.bytes.count)).map { start + $0 }
    }

    /// At most so many pieces, the last of which is all the rest; any number when the limit is negative. An empty
    /// separator gives the code points.
    static func split(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard let text = CodePoints(arguments[0]), case .string(let separator) = arguments[1],
            let limit = limit(arguments, at: 2)
        else { return .failure(.noOverload) }
        var pieces: [Value] = []
        var position = 0
        while limit < 0 || pieces.count < limit - 1 {
            let end: Int
            if separator.isEmpty {
                guard position < text.bytes.count else { break }
                end = text.end(at: position)
                if end == text.bytes.count { break }
            } else {
                guard let found = occurrence(of: separator, in: text, from: position) else { break }
                end = found
            }
            guard state.allowance.payForText(separator.count) else { return .failure(.tooCostly) }
            guard state.arena.mayHold((pieces.count + 2) * MemoryLayout<Value>.stride) else {
                return .failure(.tooLarge)
            }
            pieces.append(.string(text.slice(position..<end)))
            position = end + separator.count
        }
        // Splitting an empty text into characters gives none; splitting it at a separator gives one empty piece.
        if limit != 0, !(separator.isEmpty && text.bytes.isEmpty) {
            pieces.append(.string(text.slice(position..<text.bytes.count)))
        }
        return .success(.list(state.arena.list(pieces)))
    }

    private static func limit(_ arguments: Function.Arguments, at place: Int) -> Int? {
        guard arguments.count > place else { return -1 }
        guard case .int(let limit) = arguments[place] else { return nil }
        return Int(limit)
    }
}
