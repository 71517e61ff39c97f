"""`python -m claimbase` is the command `claimbase`."""

from claimbase.cli import main

if __name__ == "__main__":
    main(prog_name="claimbase")
