"""The commands of `upcard`, a module each: `add` puts one on the command line, `run` carries it out."""
