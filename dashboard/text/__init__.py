"""What the dashboard says, apart from its stories: sentences from numbers, terms, methods. Pure text."""
