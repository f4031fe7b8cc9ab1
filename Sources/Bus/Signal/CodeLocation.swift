/// A place in a program's code, by `#fileID` and `#line`: where a value was posted, or a signal was named or subscribed to.
@frozen
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
    /// The file, without the memory management of a `String`.
    @usableFromInline package let file: StaticString
    /// The line in the file, from 1, as `#line` counts.
    public let line: UInt

    /// A place as `#fileID` and `#line` give it, for functions that take the two as default arguments.
    @inlinable
    public init(fileID: StaticString, line: UInt) {
        file = fileID
        self.line = line
    }

    /// The module and the name of the file: `MyDaemon/main.swift`.
    public var fileID: String { file.description }

    public var description: String { "\(file):\(line)" }

    public static func == (one: Self, other: Self) -> Bool { one.line == other.line && one.fileID == other.fileID }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fileID)
        hasher.combine(line)
    }
}
