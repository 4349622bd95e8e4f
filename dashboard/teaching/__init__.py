"""Stories, glossary and methods in words."""
