#if NATS
#endif
