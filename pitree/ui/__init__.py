"""The screen: panes, dialogs and keys, on Textual."""
