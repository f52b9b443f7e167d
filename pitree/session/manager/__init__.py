"""SessionManager: Pi's operations on one session, read and write, and what people do with them."""
