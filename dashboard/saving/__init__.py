"""Saved scenarios: the store, its JSON files, and the form that saves."""
