import SystemPackage
import TestSupport
import Testing

@testable import FileBridge

@Suite("The files that wait to be read")
struct LogQueueTests {
    @Test("a file that comes back over an empty one is read on where it was left, and heard of to the end")
    func back() throws {
        let folder = try TestFolder()
        let path = folder.file("log")
        let log = try LogFile(path)
        try log.write("a\n")
        let queue = LogQueue(RawPath(path), follow: true) { true }
        try queue.begin(.end)
        try log.move(to: ".1")
        try LogFile.make(path)
        #expect(try queue.rescan() && queue.elements.count == 2)
        try folder.shell("mv log.1 log")
        #expect(try queue.rescan() && queue.elements.count == 3)
        let file = try #require(queue.first?.log)
        queue.removeFirst()
        queue.removeFirst()
        #expect(queue.first?.log === file && file.position == 2 && file.watch != nil)
        #expect(try !queue.rescan())
        try log.write("b\n")
        #expect(try queue.rescan() && queue.elements.count == 1)
    }

    @Test(
        "a file that is set aside and put back before one looks is heard of to the end",
        arguments: [
            "mv d/log d/keep; touch d/log; mv d/keep d/log",
            "mv d/log d/keep; touch d/log; rm d/log; mv d old; mkdir d; mv old/keep d/log",
        ]
    )
    func putBack(script: String) throws {
        let folder = try TestFolder()
        try folder.shell("mkdir d; echo a >d/log")
        let queue = LogQueue(RawPath(folder.file("d/log")), follow: true) { true }
        try queue.begin(.end)
        let file = try #require(queue.first?.log)
        try folder.shell(script)
        #expect(try queue.rescan() && queue.elements.count == 3)
        queue.removeFirst()
        queue.removeFirst()
        #expect(queue.first?.log === file && file.watch != nil)
        try folder.shell("echo b >>d/log")
        #expect(try queue.rescan() && queue.elements.count == 1)
    }
}

extension LogQueue.Element {
    fileprivate var log: OpenLog? {
        if case .log(let log) = self { log } else { nil }
    }
}
