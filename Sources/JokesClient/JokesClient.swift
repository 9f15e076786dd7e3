// Replaced by the first file of JokesClient.
