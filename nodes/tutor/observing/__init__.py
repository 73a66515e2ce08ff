"""From a tool call to an observation, and from an observation to facts."""
