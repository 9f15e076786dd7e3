// Replaced by the first file of JokesCore.
