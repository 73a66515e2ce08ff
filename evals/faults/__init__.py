"""The fault suite: what a run does when its model's replies are bad."""
