"""The command ``taquin``: one file a command, gathered in `taquin.cli.main`."""
