"""Night Mail: a small title of our own that uses everything the engine has. Start here to write one."""
