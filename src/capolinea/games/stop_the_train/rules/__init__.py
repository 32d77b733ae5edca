"""The rules of Stop the Train!, one file an idea. Everything in here compiles."""
