import Glibc
import JokesControl

exit(JokesControl.run(Array(CommandLine.arguments.dropFirst())))
