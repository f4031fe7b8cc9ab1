import CLinux

/// The events that a descriptor is watched for, and the events that it is ready for.
package struct ReadyEvents: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = ReadyEvents(rawValue: CLINUX_READABLE)
    package static let writable = ReadyEvents(rawValue: CLINUX_WRITABLE)
    /// Out-of-band data, or other exceptional conditions of the kind of file.
    package static let urgent = ReadyEvents(rawValue: CLINUX_URGENT)
    /// The other end is gone, or the file has an error. Reported whether or not it was asked for, and again and again
    /// until the watch is cancelled.
    package static let hangup = ReadyEvents(rawValue: CLINUX_HANGUP)
    /// Only for watching: after one report the descriptor is not reported again before ``EventLoop/Watch/again()``.
    package static let once = ReadyEvents(rawValue: CLINUX_ONCE)
    /// Only for watching: reported again only when it becomes ready anew, whether or not it was read.
    package static let edge = ReadyEvents(rawValue: CLINUX_EDGE)
}
