"""`make bench`: the project's own performance figures, as ratios against bare asyncssh measured in the same run."""
