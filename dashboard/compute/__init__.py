"""What the pages compute: results, curves, searches, evidence; jobs in threads, tasks in processes. No streamlit."""
