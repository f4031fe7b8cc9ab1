extension SerialObserver: CustomReflectable where Downstream: ~Copyable {
    /// Without children: `dump` and `Mirror` end the process at a property that is not copyable.
    @usableFromInline package var customMirror: Mirror { Mirror(self, children: []) }
}
