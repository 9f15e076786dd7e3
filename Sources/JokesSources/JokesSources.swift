// Replaced by the first file of JokesSources.
