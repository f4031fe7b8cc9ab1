import Bus
import Dispatch

/// One source of Dispatch at work for one subscription.
struct SourceRun: @unchecked Sendable {
    // Dispatch's objects may be used from any thread.
    private let source: any DispatchSourceProtocol

    /// Starts the source. It and what its handlers hold are released when it has been cancelled.
    ///
    /// - Parameters:
    ///   - cancelled: runs on the source's queue when nothing more will be called: the place to close what was watched.
    ///   - handler: called with what the source has to say.
    init(
        _ source: any DispatchSourceProtocol,
        cancelled: (@Sendable () -> Void)? = nil,
        _ handler: @escaping @Sendable (_ data: Int) -> Void
    ) {
        self.source = source
        // Keeps the source, until the cancellation releases the handler.
        let run = self
        source.setEventHandler { handler(Int(clamping: run.source.data)) }
        if let cancelled { source.setCancelHandler(handler: cancelled) }
        source.activate()
    }

    var disposable: any Disposable { ActionDisposable { [self] in source.cancel() } }
}
