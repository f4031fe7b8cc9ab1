import TestSupport
import Bus
import Glibc
import Loop
import SystemPackage
import Testing
import Timers

@Suite("A descriptor watched for one report at a time")
struct WatchOnceTests {
    @Test("a lasting state is reported once, and again when asked for")
    func once() throws {
        let pipe = try TestPipe()
        try pipe.send("a")
        let count = Lock(0)
        let watch = try EventLoop.shared.watch(pipe.reading.rawValue, for: [.readable, .once]) { _ in
            count.withLock { $0 += 1 }
        }
        try NewsBoard().waitOrThrow("the first report") { count.withLock { $0 } == 1 }
        ProcessState.settle()
        #expect(count.withLock { $0 } == 1)
        try watch.again()
        try NewsBoard().waitOrThrow("the second report") { count.withLock { $0 } == 2 }
        watch.dispose()
        try watch.again()
        ProcessState.settle()
        #expect(count.withLock { $0 } == 2)
        try pipe.reading.close()
        try pipe.writing.close()
    }
}
