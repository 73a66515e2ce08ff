"""Search back ends: each finds the documents that say something to a query, and hands them over whole."""
