"""What runs inside each contestant's own environment.  Imports nothing of the bench but
`serve` and `bench.serving`."""
