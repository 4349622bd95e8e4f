"""Data sets of one's own: uploads, what is declared about them, and what their rows show."""
