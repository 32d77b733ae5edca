"""The bot for Stop the Train!: it plays its character to win, and suspects whoever speeds."""
