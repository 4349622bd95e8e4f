"""Readers of data files: one for each format, for files of a folder, uploads and the command line alike."""
