"""What a checked pipeline asks about the files, where its options are understood exactly."""
