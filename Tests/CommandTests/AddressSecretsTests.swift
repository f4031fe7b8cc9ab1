import Testing

@testable import busctl_rx

@Suite("addresses are shown without users and passwords")
struct AddressSecretsTests {
    @Test(
        "in a message, each address ends with its word",
        arguments: [
            ("'nats://u:p@a/x' and nats://q@b", "'nats://…@a/x' and nats://…@b"),
            ("nats://u:p@q@a", "nats://…@a"), ("nats://a, for joe@b", "nats://a, for joe@b"), ("joe@b", "joe@b"),
        ]
    )
    func message(text: String, shown: String) { #expect(AddressSecrets.hidden(in: text) == shown) }

    @Test(
        "a value is one address, with whatever stands in it",
        arguments: [
            ("nat://u:p q@a/x", "nat://…@a/x"), ("nats://u:p@a,nats://v:q r@b/x", "nats://…@b/x"),
            ("nats://a b", "nats://a b"), ("joe@b", "joe@b"), ("ssh:joe@b", "ssh:joe@b"),
        ]
    )
    func value(value: String, shown: String) {
        #expect(AddressSecrets.hidden(inValue: value) == shown)
        // A message with the value in it is searched for addresses again.
        #expect(AddressSecrets.hidden(in: shown) == shown)
    }
}
