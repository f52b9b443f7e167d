"""The format of session files: lines, records, versions, entry types, and the errors of reading them."""
