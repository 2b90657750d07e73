#!/bin/sh
# What Doxygen reads in the place of a source, $1. Defaulted and deleted copies, moves and destructors say by themselves
# what they are; WithOptions is no base that a reader needs; and options become members with their meaning and range.
sed -E 's/^.*(operator=\(|~[A-Za-z]+|[( ]([A-Z][A-Za-z0-9]+)\((const )?\2&&?[a-z ]*)\(?.*= (default|delete);.*$//; s/public WithOptions<(.*), [A-Za-z0-9]+>/public \1/' "$1" |
  sed -Ez 's/"\n +"//g; s/( +DELASSUS_OPTIONS\(|\n +)\((double|std::size_t|bool), (\w+), ([^,()]+), range::([A-Za-z]+(\([^)]*\))?),\s+"([^"]*)"\)[,)]/\n  \2 \3 = \4;  \/\/\/< \7 (range: \5)/g'
