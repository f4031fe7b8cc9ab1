import Glibc

// A process that listens to signals as a daemon would, for the tests to send them to. What it hears it writes down; a line
// on its standard input is a command. It ends with its standard input.

// If the test that started it is gone and its standard input is not, so is this in the end.
alarm(300)
// A reader that is gone is not what is tested here.
signal(SIGPIPE, SIG_IGN)
Probe.run(Array(CommandLine.arguments.dropFirst()))
