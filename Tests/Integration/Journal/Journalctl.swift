import Foundation
import Glibc

/// The journalctl of this machine, as newer ones are.
enum Journalctl {
    static let version: Int = {
        let output = (try? Command.run("/usr/bin/journalctl", ["--version"]).output) ?? Data()
        return String(decoding: output, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }()

    /// Whether the messages of the user who runs the tests are in the journal of the system.
    static let isUserOfSystem = getuid() <= 999

    /// Before 257, `--user` reads only files that such a user does not have.
    static func arguments(_ arguments: [String]) -> [String] {
        arguments.contains("--user") && isUserOfSystem && version < 257 ? arguments + ["--system"] : arguments
    }

    /// What it prints: 252 writes no sequence numbers, and an offset from UTC without a colon.
    ///
    /// Each byte is a character, so that nothing of an output that is not text is lost.
    static func current(_ output: Data) throws -> Data {
        guard let text = String(data: output, encoding: .isoLatin1), !text.contains("__SEQNUM") else { return output }
        var result = try replacing(
            "^(__CURSOR=s=([0-9a-f]{32});i=([0-9a-f]+);.*\n__REALTIME_TIMESTAMP=.*\n__MONOTONIC_TIMESTAMP=.*\n)",
            in: text
        ) { "\($0[1])__SEQNUM=\(try number($0[3]))\n__SEQNUM_ID=\($0[2])\n" }
        result = try replacing("(\t?)\"__CURSOR\"( : |:)\"s=([0-9a-f]{32});i=([0-9a-f]+);", in: result) {
            let separator = $0[1].isEmpty ? "," : ",\n"
            return "\($0[1])\"__SEQNUM\"\($0[2])\"\(try number($0[4]))\"\(separator)"
                + "\($0[1])\"__SEQNUM_ID\"\($0[2])\"\($0[3])\"\(separator)\($0[0])"
        }
        // The further lines of a message are below its beginning.
        let line = "^(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+[+-]\\d\\d)(\\d\\d .*(?:\n {20,}.*)*)"
        result = try replacing(line, in: result) {
            // Also the second half of a "\r\n", which is one character.
            $0[1] + ":" + $0[2].replacingOccurrences(of: "\n", with: "\n ", options: .literal)
        }
        return result.data(using: .isoLatin1) ?? output
    }

    /// - Parameter replacement: gets the match and its groups.
    private static func replacing(
        _ pattern: String,
        in text: String,
        with replacement: ([String]) throws -> String
    ) throws -> String {
        let options: NSRegularExpression.Options = [.anchorsMatchLines, .useUnixLineSeparators]
        let expression = try NSRegularExpression(pattern: pattern, options: options)
        let whole = text as NSString
        var result = ""
        var end = 0
        for match in expression.matches(in: text, range: NSRange(location: 0, length: whole.length)) {
            let groups = (0..<match.numberOfRanges).map { whole.substring(with: match.range(at: $0)) }
            result += whole.substring(with: NSRange(location: end, length: match.range.location - end))
            result += try replacement(groups)
            end = match.range.location + match.range.length
        }
        return result + whole.substring(from: end)
    }

    private struct NoNumber: Error {}

    private static func number(_ digits: String) throws -> UInt64 {
        guard let number = UInt64(digits, radix: 16) else { throw NoNumber() }
        return number
    }
}
