"""Choices: one of many candidates, the best k, questions against a threshold, and histograms."""
