// Replaced by the first file of Diffable.
