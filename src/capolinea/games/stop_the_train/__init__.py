"""Stop the Train!: hidden roles on a runaway train (docs/rules/en/stop-the-train.md)."""
