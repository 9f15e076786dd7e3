// Replaced by the first file of JokesControl.
