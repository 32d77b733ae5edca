"""Many games at once: simulate, trace, and the conformance kit that every title passes."""
