"""Trial by Trolley: two tracks, two teams, one lever."""
