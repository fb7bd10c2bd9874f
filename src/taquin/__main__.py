"""``python -m taquin`` is the command ``taquin``."""

import sys

from taquin.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
