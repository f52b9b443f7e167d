"""From a session to the rows on screen: filters, search, folding, indents. No terminal, no markup."""
