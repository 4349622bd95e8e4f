"""One module for each file format: ``read(path, sidecar)`` gives rows and labels as they are stored."""
