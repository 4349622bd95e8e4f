"""Computations of the pages: results, curves, searches, evidence; jobs in threads, tasks in processes. No streamlit."""
