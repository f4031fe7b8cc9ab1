import TestSupport

/// How often something is done that must need no stack: often enough, in a debug build, for a frame each time to overflow
/// the stack of any thread; `many` times in `make stress`.
func deepRounds(stress many: Int = 1_000_000) -> Int { Stress.rounds(25_000, stress: many) }
