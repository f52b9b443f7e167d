"""What pitree keeps for itself: stars, the archive, the cache folder, remembered choices."""
