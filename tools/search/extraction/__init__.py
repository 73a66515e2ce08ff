"""Files into text with title, date and address, one file for each kind; maintained libraries do the work."""
