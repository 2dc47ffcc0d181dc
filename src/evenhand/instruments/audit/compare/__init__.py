"""Two or more runs of one plan: what moved beyond noise, paired by prompt and condition."""
