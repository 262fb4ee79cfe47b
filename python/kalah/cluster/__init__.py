"""Work for more than one machine, under Ray: ``python -m kalah.cluster --help``.

Ray places the work, restarts what was lost and holds back what is too much; this package has the
drivers. A driver keeps what it has in one file and continues from it, so it may be killed, too.
"""
