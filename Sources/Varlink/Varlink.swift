// Replaced by the first file of Varlink.
