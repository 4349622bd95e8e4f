"""Measurements: ``dpgep bench``, and scripts that load a server."""
