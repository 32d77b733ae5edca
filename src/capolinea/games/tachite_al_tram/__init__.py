"""Tachite al Tram."""
