"""The parts of the pages: results in, streamlit elements out."""
