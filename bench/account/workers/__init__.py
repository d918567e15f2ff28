"""What runs inside each contestant's own environment.  Imports nothing of the bench but `serve`,
`bench.account.tasks` and `bench.serving`."""
