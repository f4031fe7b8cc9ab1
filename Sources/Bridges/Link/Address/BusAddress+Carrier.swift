extension BusAddress {
    func carrier(_ context: LinkContext) -> any LinkCarrier {
        switch place {
        case .process: return ProcessCarrier(context)
        case .unix(let path, let serves):
            return serves ? TapServingCarrier(path, context) : TapCarrier(path, context)
        case .nats(let address, let prefix):
            return NATSCarrier(address, prefix: prefix, context)
        }
    }
}
