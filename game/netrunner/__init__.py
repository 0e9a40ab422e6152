"""Android: Netrunner: state, rules, cards, notation, views."""
