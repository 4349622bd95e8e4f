"""Texts of the dashboard, apart from its stories: sentences from numbers, terms, methods. Pure text."""
