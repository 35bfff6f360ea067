"""Programs from requirements: proposed without evidence, scored on known answers, one frozen."""
