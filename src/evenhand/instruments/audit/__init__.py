"""The audit (seed 2): counterfactual prompts to a model, six metrics of what comes back."""
