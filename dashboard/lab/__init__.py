"""What the Privacy lab computes: attacks, verdicts, neighbours."""
