"""What people say to each other: bounded rings per channel, stored, limited, clean."""
