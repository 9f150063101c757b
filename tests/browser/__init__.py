"""The client in a real browser. Left out by name where no Chromium is found."""
