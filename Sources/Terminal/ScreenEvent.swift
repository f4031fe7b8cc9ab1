/// An event on a terminal.
package enum ScreenEvent: Equatable, Sendable {
    /// A typed character, as a person sees it: with the combining marks that came with it.
    case text(Character)
    /// Pasted text, which is no command. Line ends are line feeds. A long paste comes in several events.
    case paste(String)
    case key(Key)
    case pointer(Pointer)
    /// ``Screen/size`` has changed.
    case resized
    /// The terminal is gone. Every further wait ends at once with this event.
    case ended
}

/// A key that types no character.
package enum Key: Hashable, Sendable {
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, pageUp, pageDown, home, end
    case shiftUp, shiftDown, shiftLeft, shiftRight
    case controlUp, controlDown, controlLeft, controlRight
    /// F1 and so on.
    case function(Int)
    /// A lower-case letter, or one of `@\]^_`. `control("c")` and `control("z")` arrive as signals.
    case control(Character)
    /// A character after an escape that the terminal sent with it.
    case alt(Character)
}

/// An action of the mouse.
package struct Pointer: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The first button. The second press of a double click is `doublePress`.
        case press, doublePress, release
        case wheelUp, wheelDown
    }

    package var place: Place
    package var action: Action

    package init(place: Place, action: Action) {
        self.place = place
        self.action = action
    }
}
