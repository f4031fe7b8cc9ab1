import Glibc

// A process that listens to signals as a daemon would, for the tests to send them to. What it hears it writes down; a line
// on its standard input is a command. It ends with its standard input, and so with the test that started it.

// A reader that is gone is not what is tested here.
signal(SIGPIPE, SIG_IGN)
Probe.run(Array(CommandLine.arguments.dropFirst()))
