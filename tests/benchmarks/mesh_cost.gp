# The cost of a step and the memory of a run against the unknowns of a mesh, from the table of docs/benchmarks.md.
# gnuplot -c tests/benchmarks/mesh_cost.gp docs/pictures/mesh_cost.png
set terminal pngcairo size 1000,420 font "DejaVu Sans,10"
set output ARG1
# unknowns, step [ms] with one contact and with many, memory [kB an unknown] the same
$bar << EOD
1001 0.049 21.9 3.46 57.3
10001 0.554 36.1 0.97 6.75
100001 5.88 35.5 0.72 1.72
EOD
$block << EOD
1212 0.178 0.546 4.23 6.30
10914 1.76 6.27 2.45 3.36
102102 47.7 94.2 2.53 3.15
EOD
set multiplot layout 1,2
set grid
set logscale xy
set xrange [700:150000]
set xlabel "unknowns"
set ylabel "time of a step [ms]"
set key right bottom
plot $bar using 1:2 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" title "bar, 1 contact", \
     $bar using 1:3 with linespoints lw 2 pt 6 lc rgb "#1f5fa8" title "bar, 1,000 contacts", \
     $block using 1:2 with linespoints lw 2 pt 7 lc rgb "#b5432a" title "block, 1 contact", \
     $block using 1:3 with linespoints lw 2 pt 6 lc rgb "#b5432a" title "block, one a column"
set ylabel "memory [kB an unknown]"
set key right top
plot $bar using 1:4 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" notitle, \
     $bar using 1:5 with linespoints lw 2 pt 6 lc rgb "#1f5fa8" notitle, \
     $block using 1:4 with linespoints lw 2 pt 7 lc rgb "#b5432a" notitle, \
     $block using 1:5 with linespoints lw 2 pt 6 lc rgb "#b5432a" notitle
unset multiplot
