// Loaded by --import into a program that a test starts: whoever holds the other end of its standard input may be killed,
// and then the program ends too.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.resume();
process.stdin.unref();
