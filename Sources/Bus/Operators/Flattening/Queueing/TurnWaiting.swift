/// A value that is told when it waits for other signals to end before its own is subscribed to.
@usableFromInline
protocol TurnWaiting {
    func waitForTurn()
}
