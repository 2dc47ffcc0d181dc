"""Reports of instruments beside the audit: one document of blocks, printed in four forms."""
