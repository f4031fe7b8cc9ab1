import TestSupport

/// How often something is repeated that must not use stack. In a debug build one frame for each repetition would
/// overflow the stack of any thread. In `make stress` it is `many` times.
func deepRounds(stress many: Int = 1_000_000) -> Int { Stress.rounds(25_000, stress: many) }
