"""Every step from an empty database to today's schema. A step that was released is never edited."""
