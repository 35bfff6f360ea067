"""The AMV paper's two interventions, on the gate of this project."""
