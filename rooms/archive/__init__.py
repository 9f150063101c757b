"""What remains of matches when they are over: their record, what they did to ratings, and what they say of cards.

`tables` and `database` are where it lies, `clerk` brings it there from the store, `filing` writes a match down and
`ratings` says what it is worth; `recounting` plays it again, `statistics` counts, and `standings` tells all of it.
"""
