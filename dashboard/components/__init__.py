"""Components that move in the browser, without asking the server."""
