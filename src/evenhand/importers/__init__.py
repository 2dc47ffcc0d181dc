"""Other tools' files → what the instruments count. Strict: what cannot be read is named, never guessed."""
