"""Speed and memory, measured: `python -m benchmarks` prints one table."""
