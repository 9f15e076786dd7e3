// Replaced by the first file of JokesScreen.
