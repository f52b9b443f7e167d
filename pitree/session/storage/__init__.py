"""Session files on disk: reading lines, writing whole files, locks, the trash."""
