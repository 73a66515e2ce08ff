"""What came of a run, for the report page: one form, read from the state of any graph."""
