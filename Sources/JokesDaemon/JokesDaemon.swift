// Replaced by the first file of JokesDaemon.
