"""Scenarios that are kept, shared and compared."""
