"""What happened, kept: runs, responses, evaluations, results."""
