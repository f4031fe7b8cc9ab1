/// The network extension.
enum NetworkFunctions {
    private static let addressCost = 50

    static func call(_ function: Function, _ arguments: UnsafeBufferPointer<Value>, _ state: inout Evaluation)
        -> CallResult
    {
        // No address is longer than this pays for; other text is not looked at.
        guard state.allowance.pay(addressCost) else { return .failure(.tooCostly) }
        switch (function, arguments[0]) {
        case (.ip, .string(let text)): return made(NetworkText.address(text), Value.ip, &state)
        case (.cidr, .string(let text)): return made(NetworkText.network(text), Value.cidr, &state)
        case (.isIP, .string(let text)): return .success(.bool(NetworkText.address(text) != nil))
        case (.isCIDR, .string(let text)): return .success(.bool(NetworkText.network(text) != nil))
        case (.isCanonical, .string(let text)):
            guard let address = NetworkText.address(text) else { return .failure(.noAddress) }
            guard state.allowance.pay(Conversion.writingCost) else { return .failure(.tooCostly) }
            return .success(.bool(text.elementsEqual(NetworkText.format(address: address).utf8)))
        case (.family, .ip(let address)): return .success(.int(address.count == 4 ? 4 : 6))
        case (_, .ip(let address)): return about(function, NetworkText.unmapped(address: address))
        case (_, .cidr(let network)):
            let address = UnsafeRawBufferPointer(rebasing: network.dropLast())
            let length = Int(network.last ?? 0)
            switch function {
            case .ip: return .success(.ip(address))
            case .prefixLength: return .success(.int(Int64(length)))
            case .masked: return made(masked(address, length) + [UInt8(length)], Value.cidr, &state)
            case .containsIP, .containsCIDR: return contains(function, network, arguments[1])
            default: return .failure(.noOverload)
            }
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

    private static func contains(
        _ function: Function,
        _ network: UnsafeRawBufferPointer,
        _ other: Value
    ) -> CallResult {
        switch (function, other) {
        case (.containsIP, .ip(let address)): return .success(.bool(contains(network, address)))
        case (.containsIP, .string(let text)):
            guard let address = NetworkText.address(text) else { return .failure(.noAddress) }
            return .success(.bool(address.withUnsafeBytes { contains(network, $0) }))
        case (.containsCIDR, .cidr(let inner)): return .success(.bool(containsNetwork(network, inner)))
        case (.containsCIDR, .string(let text)):
            guard let inner = NetworkText.network(text) else { return .failure(.noAddress) }
            return .success(.bool(inner.withUnsafeBytes { containsNetwork(network, $0) }))
        default: return .failure(.noOverload)
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

    private static func about(_ function: Function, _ address: UnsafeRawBufferPointer) -> CallResult {
        switch function {
        case .isUnspecified: return .success(.bool(isUnspecified(address)))
        case .isLoopback: return .success(.bool(isLoopback(address)))
        case .isLinkLocalUnicast: return .success(.bool(isLinkLocalUnicast(address)))
        case .isLinkLocalMulticast:
            let isLong = address.count == 16
            let isLinkLocal =
                isLong
                ? address[0] == 0xFF && address[1] & 0x0F == 0x02
                : address[0] == 224 && address[1] == 0 && address[2] == 0
            return .success(.bool(isLinkLocal))
        case .isGlobalUnicast:
            let isMulticast = address.count == 4 ? address[0] & 0xF0 == 0xE0 : address[0] == 0xFF
            let isBroadcast = address.count == 4 && address.allSatisfy { $0 == 0xFF }
            return .success(
                .bool(
                    !isMulticast && !isBroadcast && !isUnspecified(address) && !isLoopback(address)
                        && !isLinkLocalUnicast(address)
                )
            )
        default: return .failure(.noOverload)
        }
    }

    private static func isUnspecified(_ address: UnsafeRawBufferPointer) -> Bool {
        address.allSatisfy { $0 == 0 }
    }

    private static func isLoopback(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    private static func isLinkLocalUnicast(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 4
            ? address[0] == 169 && address[1] == 254 : address[0] == 0xFE && address[1] & 0xC0 == 0x80
    }
}
