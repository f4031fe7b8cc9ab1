import Foundation
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

@Suite("How far the search of a journal has come")
struct JournalProgressTests {
    /// Two files, one behind the other.
    private func journal(_ folder: TemporaryFolder) throws {
        for file in 0..<2 {
            var form = JournalFileForm()
            form.fileID = ID128(1, UInt64(file + 1))
            var writer = JournalFileWriter(form)
            for number in file * 3000..<(file + 1) * 3000 {
                let fields = [Array("MESSAGE=\(number)".utf8), Array("_PID=\(number % 7)".utf8)]
                writer.append(
                    JournalFileEntry(
                        sequence: UInt64(number + 1),
                        realtime: 1_700_000_000_000_000 + UInt64(number),
                        monotonic: UInt64(number + 1),
                        boot: ID128(1, 1),
                        fields: fields
                    )
                )
            }
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(file).journal")))
        }
    }

    private static let courses: [JournalCourse] = [
        .onward(from: .head, follow: false), .onward(from: .time(1_700_000_000_002_000), follow: false),
        .onward(from: .tail(100_000), follow: false), .back(JournalRetreat()),
    ]

    @Test(
        "grows from nothing to all of it, whatever is asked for and in either direction",
        arguments: ["true", "pid == 3", "message =~ '9$'", "size(message) > 40"],
        courses.indices
    )
    func grows(expression: String, course: Int) throws {
        let folder = try TemporaryFolder()
        try journal(folder)
        let query = try JournalQuery.filter(expression)
        let reader = try JournalReader(.directory(folder.path("")), Self.courses[course], query: query)
        let progress = SearchProgress()
        let finds = expression != "size(message) > 40"
        var last = SearchProgress.Share(passed: 0, whole: 0)
        while true {
            let step = try reader.advance()
            _ = progress.ask()
            progress.answer(reader.progress)
            if step == .end { break }
            guard let share = progress.ask() else { continue }
            #expect(share.whole == last.whole || last.whole == 0)
            // Entries found on the way back are read once more.
            if course != 2, finds { #expect(share.passed >= last.passed, "\(share) \(last)") }
            last = share
        }
        // A step that finds nothing searches so few entries before anybody is told.
        guard finds else { return }
        #expect(last.whole > 0)
        let share = try #require(progress.ask())
        #expect(share.passed == share.whole, "\(share)")
        #expect(!progress.isOver)
    }
}
