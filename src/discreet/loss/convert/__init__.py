"""From one kind of loss to another: the cited graph (`graph.py`) and its edges."""
