import Foundation

extension Double {
    /// Three significant digits, without an exponent.
    var figure: String {
        guard isFinite else { return "–" }
        let magnitude = abs(self)
        let digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
        let text = String(format: "%.\(digits)f", self)
        guard text.contains(".") else { return text }
        let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(trimmed.reversed())
    }
}

extension Series {
    var figure: String { "\(median.figure) (\(minimum.figure))" }
}

extension [Double] {
    /// The median, with the two quartiles.
    var spread: String {
        count < 4 ? median.figure : "\(median.figure) (\(percentile(0.25).figure)–\(percentile(0.75).figure))"
    }
}
