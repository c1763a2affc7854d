"""hydralab."""
