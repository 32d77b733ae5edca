"""Stop the Train!: hidden roles on a runaway train (docs/rules/stop-the-train.md)."""
