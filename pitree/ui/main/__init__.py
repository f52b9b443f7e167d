"""The main screen: panes, header, footer, and the actions on them."""
