import Glibc
import JokesScreen

exit(JokesScreen.run(Array(CommandLine.arguments.dropFirst())))
