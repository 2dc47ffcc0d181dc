"""Question sets: reading files in BBQ's schema, and the set that ships."""
