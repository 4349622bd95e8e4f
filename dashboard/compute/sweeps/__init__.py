"""Sweeps: what is asked, the lines, tables and tests of what is found."""
