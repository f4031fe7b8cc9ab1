import Testing

@testable import busctl_rx

@Suite("When output is coloured")
struct ColorChoiceTests {
    private func isOn(_ choice: ColorChoice, terminal: Bool = true, _ variables: [String: String] = ["TERM": "xterm"])
        -> Bool
    {
        choice.isOn(forTerminal: terminal) { variables[$0] }
    }

    @Test("the typed option comes first, then NO_COLOR, then SYSTEMD_COLORS, then the terminal")
    func order() {
        #expect(isOn(.always, terminal: false, ["NO_COLOR": "1"]))
        #expect(!isOn(.never) && isOn(.auto) && !isOn(.auto, terminal: false))
        #expect(!isOn(.auto, ["TERM": "dumb"]) && !isOn(.auto, [:]))
        #expect(!isOn(.auto, ["TERM": "xterm", "NO_COLOR": "1", "SYSTEMD_COLORS": "1"]))
        #expect(isOn(.auto, ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!isOn(.auto, ["TERM": "xterm", "SYSTEMD_COLORS": "0"]))
        #expect(!isOn(.auto, ["TERM": "xterm", "SYSTEMD_COLORS": "No"]))
        #expect(isOn(.auto, terminal: false, ["SYSTEMD_COLORS": "256"]))
    }
}
