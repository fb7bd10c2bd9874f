"""Short solutions for boards that nobody solves optimally; see `taquin.near.beam`."""
