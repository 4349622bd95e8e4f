"""Reproductions of the exhibits of the papers, each a task."""
