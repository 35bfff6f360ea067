"""The durable ledger: what a review or a gate decided, written before it answers."""
