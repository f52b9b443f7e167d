"""A session file that grows: following it, and the tips at which it grows."""
