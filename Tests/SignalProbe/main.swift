import Glibc

// A process that listens to signals like a daemon, for tests to send signals to. It writes what it hears. A line on its
// standard input is a command. It ends with its standard input, and so with the test that started it.

// This does not test the loss of the reader.
signal(SIGPIPE, SIG_IGN)
Probe.run(Array(CommandLine.arguments.dropFirst()))
