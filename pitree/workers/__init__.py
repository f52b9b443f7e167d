"""Helper processes: starting them, their loop, framing, and a pool. The only place that starts any."""


class Cancelled(Exception):
    """Work stopped because the caller cancelled it."""
