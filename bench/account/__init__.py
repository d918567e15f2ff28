"""What many answers cost together: how near, how fast, and whether others agree."""
