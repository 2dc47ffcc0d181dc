"""Benchmark specs: a YAML file that says what to ask which model, and where the reports go."""

from evenhand.api.benchmark.load import Benchmark, benchmark_from, parse_benchmark
from evenhand.api.benchmark.recognise import kind_of_file

__all__ = ["Benchmark", "benchmark_from", "kind_of_file", "parse_benchmark"]
