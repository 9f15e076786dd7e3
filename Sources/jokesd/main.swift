import Glibc
import JokesDaemon

exit(JokesDaemon.run(Array(CommandLine.arguments.dropFirst())))
