import Foundation
import TestSupport
import Testing
import Timers

private let systemdAnalyze = "/usr/bin/systemd-analyze"

/// Random expressions, each with ten times after a random instant, compared with the installed `systemd-analyze calendar`.
///
/// In UTC only, because the versions of systemd differ where the clocks change; ``RecordedCalendarTests`` has other zones.
@Suite(
    "Calendar expressions beside systemd-analyze",
    .enabled(if: FileManager.default.isExecutableFile(atPath: systemdAnalyze))
)
struct SystemdCalendarTests {
    private static let iterations = 10
    /// Expressions of one call.
    private static let batch = 40

    /// What systemd says of an expression.
    private struct Answer: Equatable {
        var normalForm: String
        /// In seconds since 1970.
        var times: [Int64]
    }

    @Test("the same normal form and the same times, or both refuse")
    func random() throws {
        var random = SeededGenerator(20)
        var (instants, refused, omitted) = (0, 0, 0)
        for _ in 0..<Stress.rounds(1, stress: 125) {
            let base = Int64.random(in: 0..<2_208_988_800, using: &random)
            let expressions = Set((0..<Self.batch).map { _ in RandomCalendar.expression(&random) }).sorted()
            let answers = try Self.ask(expressions, base)
            for expression in expressions {
                let (ours, theirs) = (Self.ours(expression, base), answers[expression])
                instants += theirs?.times.count ?? 0
                if theirs == nil { refused += 1 }
                if ours == theirs { continue }
                // systemd 252 leaves out times behind the turn of an hour or a day where a list has steps. Asked for each, it has them.
                omitted += 1
                #expect(ours?.normalForm == theirs?.normalForm, "\(expression)")
                let ourTimes = ours?.times ?? []
                for time in theirs?.times ?? [] where time <= ourTimes.last ?? 0 {
                    #expect(ourTimes.contains(time), "\(expression) at \(time)")
                }
                for time in ourTimes {
                    let next = try Self.ask([expression], time - 1)[expression]?.times.first
                    #expect(next == time, "\(expression) at \(time)")
                }
            }
        }
        #expect(instants > Stress.rounds(200, stress: 24_000) / 2 && refused > 0 && omitted <= instants / 1000)
        print("compared \(instants) times; systemd refused \(refused) expressions and left out times of \(omitted)")
    }

    /// Nil if it is refused.
    private static func ours(_ expression: String, _ base: Int64) -> Answer? {
        guard let schedule = try? CalendarSchedule(expression, local: .utc) else { return nil }
        let times = schedule.occurrences(after: TimerInstant(nanoseconds: base * 1_000_000_000)).prefix(iterations)
        return Answer(normalForm: schedule.description, times: times.map { $0.nanoseconds / 1_000_000_000 })
    }

    /// Expressions that systemd refuses are missing.
    private static func ask(_ expressions: [String], _ base: Int64) throws -> [String: Answer] {
        let process = Process()
        process.executableURL = URL(filePath: systemdAnalyze)
        process.arguments =
            ["calendar", "--iterations=\(iterations)", "--base-time=@\(base)", "--"] + expressions
        process.environment = ["TZ": "UTC", "LC_ALL": "C"]
        let pipe = Foundation.Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        var answers: [String: Answer] = [:]
        var expression = ""
        var isNamed = false
        for line in output.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            let value = String(line[colon.upperBound...])
            switch line[..<colon.lowerBound].drop(while: { $0 == " " }) {
            case "Original form":
                (expression, isNamed) = (value, true)
                answers[value] = Answer(normalForm: value, times: [])
            case "Normalized form":
                // A text that is normal is not shown in its original form.
                if !isNamed { (expression, answers[value]) = (value, Answer(normalForm: value, times: [])) }
                answers[expression]?.normalForm = value
                isNamed = false
            case let label where label == "Next elapse" || label.hasPrefix("Iter. #"):
                if value != "never" { answers[expression]?.times.append(try seconds(value)) }
            default: break
            }
        }
        return answers
    }

    /// `Mon 2023-11-20 00:00:00 UTC`, in seconds since 1970.
    private static func seconds(_ text: String) throws -> Int64 {
        let words = text.split(separator: " ")
        try #require(words.count == 4 && words[3] == "UTC", "\(text)")
        let style = Date.ISO8601FormatStyle()
        return Int64(try Date("\(words[1])T\(words[2])Z", strategy: style).timeIntervalSince1970)
    }
}

/// Random expressions in systemd's notation; some are malformed.
private enum RandomCalendar {
    static func expression(_ random: inout SeededGenerator) -> String {
        var text = ""
        if random.chance(30) {
            let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
            text += random.pick(["", "Sat,"]) + random.pick(days)
            if random.chance(50) { text += ".." + random.pick(days) }
            text += " "
        }
        if random.chance(70) {
            text += field(&random, 2020, 2040, star: 90) + "-" + field(&random, 1, 12, star: 70)
            // Behind ~ systemd takes no lists, which have a meaning here.
            let fromTheEnd = random.chance(33)
            text += fromTheEnd ? "~\(random.number(1..<32)) " : "-" + field(&random, 1, 31, star: 40) + " "
        }
        text += field(&random, 0, 23, star: 40) + ":" + field(&random, 0, 59, star: 20)
        if random.chance(30) { text += ":" + field(&random, 0, 59, star: 20) }
        return text + (random.chance(20) ? " UTC" : "")
    }

    private static func field(_ random: inout SeededGenerator, _ low: Int, _ high: Int, star: Int) -> String {
        if random.chance(star) { return "*" }
        return (0..<random.pick([1, 1, 1, 2, 3])).map { _ in element(&random, low, high) }.joined(separator: ",")
    }

    private static func element(_ random: inout SeededGenerator, _ low: Int, _ high: Int) -> String {
        var text = "\(random.number(low..<high + 1))"
        if random.chance(25) { text += "..\(random.number(low..<high + 1))" }
        if random.chance(30) { text += "/\(random.number(1..<max(2, (high - low) / 2)))" }
        return text
    }
}
