"""From a stored run to something a person reads. One view model, many forms."""
