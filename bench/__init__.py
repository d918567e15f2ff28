"""Speed and error against peers: `make bench`."""
