"""What a proposed decomposition passes, on labelled questions: parts on and off topic, repeats and their look-alikes."""
