"""What runs inside each contestant's own environment.  Imports nothing of the bench but `serve`,
`bench.choice.tasks` and `bench.serving`."""
