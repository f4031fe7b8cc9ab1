extension BusAddress {
    func carrier(_ context: LinkContext) -> any LinkCarrier {
        switch place {
        case .process: return ProcessCarrier(context)
        case .unix(let path, let serves):
            return serves ? TapServingCarrier(path, context) : TapCarrier(path, context)
        case .nats(let address, let prefix):
            #if NATS
                return NATSCarrier(address, prefix: prefix, context)
            #else
                // The address was refused when it was read.
                return ProcessCarrier(context)
            #endif
        }
    }
}
