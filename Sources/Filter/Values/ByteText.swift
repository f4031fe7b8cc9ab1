import CRE2
import Glibc

/// Comparing and searching bytes. Every function takes empty buffers, whose address may be nil.
enum ByteText {
    @inline(__always)
    static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }

    static func equal(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { equal(bytes, UnsafeRawBufferPointer($0)) }
    }

    /// Negative, zero or positive. For UTF-8 the order of bytes is the order of code points, which CEL asks for.
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let shared = min(left.count, right.count)
        if shared > 0, let first = left.baseAddress, let second = right.baseAddress {
            let order = memcmp(first, second, shared)
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    static func contains(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= text.count else { return false }
        guard part.count > 0, let haystack = text.baseAddress, let needle = part.baseAddress else { return true }
        return cre2_contains(haystack, text.count, needle, part.count)
    }

    static func firstOffset(of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard part.count > 0, let needle = part.baseAddress else { return 0 }
        guard part.count <= text.count, let haystack = text.baseAddress else { return nil }
        let offset = cre2_find(haystack, text.count, needle, part.count)
        return offset < 0 ? nil : offset
    }

    /// The search of Knuth, Morris and Pratt, from the end: no byte of the text is looked at more than twice.
    static func lastOffset(of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Int? {
        guard part.count <= text.count else { return nil }
        guard part.count > 0 else { return text.count }
        // Both are read backwards. If so many bytes match and the next does not, so many of them still match.
        let wanted = [UInt8](part.reversed())
        var remaining = [Int](repeating: 0, count: wanted.count)
        func matches(_ byte: UInt8, after matched: Int) -> Int {
            var matched = matched
            while matched > 0, wanted[matched] != byte {
                matched = remaining[matched - 1]
            }
            return wanted[matched] == byte ? matched + 1 : matched
        }
        for index in wanted.indices.dropFirst() {
            remaining[index] = matches(wanted[index], after: remaining[index - 1])
        }
        var matched = 0
        for offset in text.indices.reversed() {
            matched = matches(text[offset], after: matched)
            if matched == wanted.count { return offset }
        }
        return nil
    }

    static func starts(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= text.count else { return false }
        return equal(UnsafeRawBufferPointer(rebasing: text[..<part.count]), part)
    }

    static func ends(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= text.count else { return false }
        return equal(UnsafeRawBufferPointer(rebasing: text[(text.count - part.count)...]), part)
    }

    /// Code points, counted by their first bytes. Where text is not UTF-8, every byte that cannot continue another
    /// counts.
    static func codePoints(_ text: UnsafeRawBufferPointer) -> Int64 {
        var count: Int64 = 0
        for byte in text where byte & 0xC0 != 0x80 { count += 1 }
        return count
    }

    static func isValidUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        String(validating: text, as: UTF8.self) != nil
    }
}
