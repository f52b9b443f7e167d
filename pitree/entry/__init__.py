"""What an entry consists of when it is read in full; branches, comparisons, transcripts, exports."""
