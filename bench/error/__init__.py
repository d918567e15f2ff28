"""How far answers are off: Discreet against what other libraries do with the same budget."""
