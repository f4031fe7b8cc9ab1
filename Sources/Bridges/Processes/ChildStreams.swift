import Bus
import DescriptorBridge
import SystemPackage

/// This process's ends of a child's streams. Each is closed by the code that takes it, or with this object if nobody
/// did.
final class ChildStreams: Sendable {
    private struct Ends: Sendable {
        var input: OwnedDescriptor?
        var output: OwnedDescriptor?
        var errors: OwnedDescriptor?
    }

    private let ends: Lock<Ends>
    /// Open here until the child has them.
    private let childEnds: [OwnedDescriptor]

    init(_ child: ChildProcess, _ spawning: inout Spawning) throws(ProcessError) {
        var childEnds: [OwnedDescriptor] = []
        var ends = Ends()
        switch child.input {
        case .none:
            spawning.openNull(as: 0)
        case .inherited: break
        case .descriptor(let descriptor): childEnds.append(try Self.connect(descriptor, to: 0, &spawning))
        case .signal:
            let pipe = try Self.pipe("the input of \(child.executable)")
            spawning.connect(pipe.reading.number, to: 0)
            childEnds.append(pipe.reading)
            ends.input = pipe.writing
        }
        ends.output = try Self.output(child.output, 1, "the output of \(child.executable)", &spawning, &childEnds)
        ends.errors = try Self.output(child.errors, 2, "the errors of \(child.executable)", &spawning, &childEnds)
        self.childEnds = childEnds
        self.ends = Lock(ends)
    }

    func closeChildEnds() {
        for end in childEnds { end.close() }
    }

    func takeInput() -> OwnedDescriptor? { ends.withLock { $0.input.take() } }

    func takeOutput() -> OwnedDescriptor? { ends.withLock { $0.output.take() } }

    func takeErrors() -> OwnedDescriptor? { ends.withLock { $0.errors.take() } }

    private static func output(
        _ output: ChildProcess.Output,
        _ number: CInt,
        _ purpose: String,
        _ spawning: inout Spawning,
        _ childEnds: inout [OwnedDescriptor]
    ) throws(ProcessError) -> OwnedDescriptor? {
        switch output {
        case .inherited: return nil
        case .descriptor(let descriptor):
            childEnds.append(try connect(descriptor, to: number, &spawning))
            return nil
        case .discarded:
            spawning.openNull(as: number)
            return nil
        case .lines:
            let pipe = try pipe(purpose)
            spawning.connect(pipe.writing.number, to: number)
            childEnds.append(pipe.writing)
            return pipe.reading
        }
    }

    /// By another number: the caller's may be a stream that the child has exchanged before this one.
    private static func connect(
        _ descriptor: FileDescriptor,
        to number: CInt,
        _ spawning: inout Spawning
    ) throws(ProcessError) -> OwnedDescriptor {
        do throws(DescriptorError) {
            let copy = try OwnedDescriptor.duplicate(of: descriptor.rawValue)
            spawning.connect(copy.number, to: number)
            return copy
        } catch {
            throw ProcessError(error)
        }
    }

    private static func pipe(
        _ purpose: String
    ) throws(ProcessError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        do throws(DescriptorError) {
            return try OwnedDescriptor.pipe(for: purpose)
        } catch {
            throw ProcessError(error)
        }
    }
}
