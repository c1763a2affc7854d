"""`python -m hydralab`: the command line."""

from hydralab.cli import main

if __name__ == "__main__":
    main()
