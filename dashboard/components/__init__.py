"""Parts of a page that JavaScript moves in the browser, without asking the server."""
