# The cost of a step against the stages of a ladder of diodes and the nodes of a line, and that of making a net of
# resistors, from the tables of docs/benchmarks.md.
# gnuplot -c tests/benchmarks/circuits_cost.gp docs/pictures/circuits_cost.png
set terminal pngcairo size 1000,420 font "DejaVu Sans,10"
set output ARG1
# stages, step [us] with a system for each state, and with parts of eight
$ladder << EOD
10 2.8 1.46
30 8.8 5.00
100 67.6 13.9
300 267 46.9
1000 1099 180
3000 NaN 565
EOD
$line << EOD
100 381 13.5
300 4041 43.4
1000 33060 309
3000 NaN 1449
EOD
# resistors, making [ms] by a dense inverse, and by sparse factors
$net << EOD
180 3.71 2.8
760 124 4.9
2380 2545 23.8
4900 NaN 75.5
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
     0.14 * x with lines dt 3 lc rgb "black" title "slope 1"
set xrange [100:10000]
set yrange [1:10000]
set xlabel "resistors"
set ylabel "time to make the equations [ms]"
plot $net using 1:3 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" title "sparse factors", \
     $net using 1:2 with linespoints lw 1 dt 2 pt 6 lc rgb "#1f5fa8" title "dense inverse, before"
unset multiplot
