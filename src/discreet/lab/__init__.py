"""The laboratory: checks, attacks and warnings.  It may see everything; nothing sees it."""
