/// A value with the context in which it was sent. See ``Signal/capturing(_:)``.
public struct InContext<Value: Sendable, Content: Sendable>: Sendable {
    /// The value that was sent.
    public let value: Value
    /// The content of the context when it was sent.
    public let content: Content

    /// A value with a content of the caller's choice.
    @inlinable
    public init(_ value: Value, content: Content) {
        self.value = value
        self.content = content
    }

    /// A value with the present content of a context.
    @inlinable
    public init(_ value: Value, capturing context: TaskContext<Content>) {
        self.init(value, content: context.current())
    }
}

extension InContext: Equatable where Value: Equatable, Content: Equatable {}
extension InContext: Hashable where Value: Hashable, Content: Hashable {}
