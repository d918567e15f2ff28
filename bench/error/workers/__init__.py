"""What runs in the environments of peers.  The standard library and the peer alone."""
