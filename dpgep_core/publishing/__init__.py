"""Publishing: a budget that is kept, releases that spend it, and the file that each release leaves."""
