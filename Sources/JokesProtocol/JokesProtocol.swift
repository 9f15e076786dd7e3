// Replaced by the first file of JokesProtocol.
