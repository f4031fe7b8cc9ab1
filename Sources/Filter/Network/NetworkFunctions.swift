/// The network extension.
enum NetworkFunctions {
    static func ip(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch arguments[0] {
        case .string(let text): made(NetworkText.address(text), Value.ip, &state)
        case .cidr(let network): .success(.ip(UnsafeRawBufferPointer(rebasing: network.dropLast())))
        default: .failure(.noOverload)
        }
    }

    static func cidr(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .string(let text) = arguments[0] else { return .failure(.noOverload) }
        return made(NetworkText.network(text), Value.cidr, &state)
    }

    @inline(__always)
    static func ofText(_ arguments: Function.Arguments, _ test: (UnsafeRawBufferPointer) -> Bool) -> CallResult {
        guard case .string(let text) = arguments[0] else { return .failure(.noOverload) }
        return .success(.bool(test(text)))
    }

    /// A test of an IPv4 address takes that of an IPv6 address which stands for one, too.
    @inline(__always)
    static func ofAddress(_ arguments: Function.Arguments, _ test: (UnsafeRawBufferPointer) -> Bool) -> CallResult {
        guard case .ip(let address) = arguments[0] else { return .failure(.noOverload) }
        return .success(.bool(test(NetworkText.unmapped(address: address))))
    }

    static func isCanonical(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .string(let text) = arguments[0] else { return .failure(.noOverload) }
        guard let address = NetworkText.address(text) else { return .failure(.noAddress) }
        guard state.allowance.pay(Conversion.writingCost) else { return .failure(.tooCostly) }
        return .success(.bool(text.elementsEqual(NetworkText.format(address: address).utf8)))
    }

    static func family(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .ip(let address) = arguments[0] else { return .failure(.noOverload) }
        return .success(.int(address.count == 4 ? 4 : 6))
    }

    static func masked(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .cidr(let network) = arguments[0], let length = network.last else { return .failure(.noOverload) }
        return made(masked(network.dropLast(), Int(length)) + [length], Value.cidr, &state)
    }

    static func prefixLength(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        guard case .cidr(let network) = arguments[0] else { return .failure(.noOverload) }
        return .success(.int(Int64(network.last ?? 0)))
    }

    static func containsIP(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch (arguments[0], arguments[1]) {
        case (.cidr(let network), .ip(let address)): return .success(.bool(contains(network, address)))
        case (.cidr(let network), .string(let text)):
            guard let address = NetworkText.address(text) else { return .failure(.noAddress) }
            return .success(.bool(address.withUnsafeBytes { contains(network, $0) }))
        default: return .failure(.noOverload)
        }
    }

    static func containsCIDR(_ arguments: Function.Arguments, _ state: inout Evaluation) -> CallResult {
        switch (arguments[0], arguments[1]) {
        case (.cidr(let network), .cidr(let inner)): return .success(.bool(containsNetwork(network, inner)))
        case (.cidr(let network), .string(let text)):
            guard let inner = NetworkText.network(text) else { return .failure(.noAddress) }
            return .success(.bool(inner.withUnsafeBytes { containsNetwork(network, $0) }))
        default: return .failure(.noOverload)
        }
    }

    private static func made(
        _ bytes: [UInt8]?,
        _ make: (UnsafeRawBufferPointer) -> Value,
        _ state: inout Evaluation
    ) -> CallResult {
        guard let bytes else { return .failure(.noAddress) }
        guard state.arena.mayHold(bytes.count) else { return .failure(.tooLarge) }
        return .success(make(state.arena.text(bytes)))
    }

    /// The address with the bits after the prefix cleared.
    private static func masked(_ address: some Collection<UInt8>, _ length: Int) -> [UInt8] {
        address.enumerated().map { place, byte in
            let kept = max(0, min(8, length - place * 8))
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }

    private static func contains(_ network: UnsafeRawBufferPointer, _ address: UnsafeRawBufferPointer) -> Bool {
        let plain = NetworkText.unmapped(network: network)
        return isInside(network.dropLast(), Int(network.last ?? 0), address)
            || isInside(plain.address[...], plain.length, NetworkText.unmapped(address: address))
    }

    private static func containsNetwork(_ network: UnsafeRawBufferPointer, _ inner: UnsafeRawBufferPointer) -> Bool {
        let (plain, plainInner) = (NetworkText.unmapped(network: network), NetworkText.unmapped(network: inner))
        let (length, innerLength) = (Int(network.last ?? 0), Int(inner.last ?? 0))
        return innerLength >= length && isInside(network.dropLast(), length, inner.dropLast())
            || plainInner.length >= plain.length && isInside(plain.address[...], plain.length, plainInner.address)
    }

    private static func isInside(
        _ network: some Collection<UInt8>,
        _ length: Int,
        _ address: some Collection<UInt8>
    ) -> Bool {
        network.count == address.count && masked(address, length) == masked(network, length)
    }

    static func isLinkLocalMulticast(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 16
            ? address[0] == 0xFF && address[1] & 0x0F == 0x02
            : address[0] == 224 && address[1] == 0 && address[2] == 0
    }

    static func isGlobalUnicast(_ address: UnsafeRawBufferPointer) -> Bool {
        let isMulticast = address.count == 4 ? address[0] & 0xF0 == 0xE0 : address[0] == 0xFF
        let isBroadcast = address.count == 4 && address.allSatisfy { $0 == 0xFF }
        return !isMulticast && !isBroadcast && !isUnspecified(address) && !isLoopback(address)
            && !isLinkLocalUnicast(address)
    }

    static func isUnspecified(_ address: UnsafeRawBufferPointer) -> Bool {
        address.allSatisfy { $0 == 0 }
    }

    static func isLoopback(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    static func isLinkLocalUnicast(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 4
            ? address[0] == 169 && address[1] == 254 : address[0] == 0xFE && address[1] & 0xC0 == 0x80
    }
}
