"""The bot for Tachite al Tram: it builds towards what it wants, and counts turns until it delivers."""
