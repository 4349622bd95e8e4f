"""The papers, reproduced from a page: what is asked, the tasks that compute it, and the tables it makes."""
