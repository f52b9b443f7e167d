"""What a list shows of one session: built from its lines, cached, matched by folder or by id."""
