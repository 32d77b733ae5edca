"""Capolinea: a table for railway games."""

__version__ = "0.1.0"
