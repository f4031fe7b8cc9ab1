/// The situations that a ``ContractCheck`` tries, one after the other.
public enum ContractPromise: String, Sendable, Hashable, CaseIterable {
    /// Sources that complete without a value.
    case empty
    /// Sources that send one value and complete.
    case one
    /// Sources that send several values and complete, also while the observer pauses.
    case many
    /// Sources that fail without a value.
    case failingFirst
    /// Sources that fail after some values.
    case failingMidway
    /// An observer that wants no more than the first value.
    case stopping
    /// Sources that send everything while they are being subscribed to.
    case synchronousSources
    /// Sources that complete inside a callback, on its thread or on another while it waits.
    case endingInsideCallback
    /// A subscription that is disposed of inside a callback.
    case disposalInsideCallback
    /// A subscription that is disposed of while other threads send.
    case disposalFromAnotherThread
    /// Values from two threads at once.
    case sendersOnTwoThreads
    /// A completion and a failure from two threads at once.
    case endsOnTwoThreads
    /// A callback that sends into the sources.
    case sendingInsideCallback
    /// A callback that subscribes to the signal anew.
    case subscribingInsideCallback
    /// An observer that pauses, while the sources send until they are told to pause.
    case pausing
    /// Sources that wait while the observer pauses, and go on from inside the callback: each is called back, and no value
    /// is left out. A source that is ahead of the others may wait until they have sent more.
    case resuming
    /// A subscription that is disposed of while its observer pauses.
    case disposalWhilePausing
    /// Values that the first source reports as missing.
    case losses
    /// A second subscription beside the first: each hears the same as it would alone.
    case independence
    /// A chain that is freed when it is disposed of.
    case freedByDisposal
    /// A chain that is freed when it ends, even if its handle and its sources are kept.
    case freedByItsEnd
    /// A chain that is freed when its sources are, though nothing ended and its handle is kept.
    case freedWithItsSources
    /// A `Signal.chain` that describes the signal.
    case description

    /// Whether a breach shows every time.
    var isDeterministic: Bool {
        switch self {
        case .disposalFromAnotherThread, .sendersOnTwoThreads, .endsOnTwoThreads: false
        default: true
        }
    }
}
