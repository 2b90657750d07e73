# The cost of a step against the stages of a ladder of diodes and the nodes of a line, and that of making a net of
# resistors, from the tables of docs/benchmarks.md.
# gnuplot -c tests/benchmarks/circuits_cost.gp docs/pictures/circuits_cost.png
set terminal pngcairo size 1000,420 font "DejaVu Sans,10"
set output ARG1
# stages, step [us] with a system for each state, and with parts of eight
$ladder << EOD
10 2.8 1.92
30 8.8 6.96
100 67.6 19.9
300 267 62.5
1000 1099 297
3000 NaN 1158
EOD
$line << EOD
100 381 21.4
300 4041 59.3
1000 33060 397
3000 NaN 1471
EOD
# resistors, making [ms] by a dense inverse, and by sparse factors
$net << EOD
180 3.71 5.0
760 124 7.4
2380 2545 35.2
4900 NaN 149
EOD
set multiplot layout 1,2
set grid
set logscale xy
set xrange [7:5000]
set xlabel "stages, nodes"
set ylabel "processor time of a step [µs]"
set key left top
plot $ladder using 1:3 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" title "ladder of diodes", \
     $ladder using 1:2 with linespoints lw 1 dt 2 pt 6 lc rgb "#1f5fa8" title "before", \
     $line using 1:3 with linespoints lw 2 pt 7 lc rgb "#b5432a" title "line of RC nodes", \
     $line using 1:2 with linespoints lw 1 dt 2 pt 6 lc rgb "#b5432a" title "before", \
     0.19 * x with lines dt 3 lc rgb "black" title "slope 1"
set xrange [100:10000]
set yrange [1:10000]
set xlabel "resistors"
set ylabel "time to make the equations [ms]"
plot $net using 1:3 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" title "sparse factors", \
     $net using 1:2 with linespoints lw 1 dt 2 pt 6 lc rgb "#1f5fa8" title "dense inverse, before"
unset multiplot
