"""The shared controls beside every page, and their state in the session."""
