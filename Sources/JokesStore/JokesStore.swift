// Replaced by the first file of JokesStore.
