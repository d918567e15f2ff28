"""Noise: integers drawn from the discrete Laplace and discrete Gaussian laws, each second."""
