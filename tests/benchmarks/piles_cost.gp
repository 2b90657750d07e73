# The cost of a contact in a step against the number of contacts, from the table of docs/piles.md.
# gnuplot -c tests/benchmarks/piles_cost.gp docs/pictures/piles_cost.png
set terminal pngcairo size 800,420 font "DejaVu Sans,10"
set output ARG1
$data << EOD
2344 1.8
8200 3.0
23365 4.4
30312 4.4
EOD
set grid
set logscale x
set xrange [1500:40000]
set yrange [0:6]
set xlabel "contacts in the end"
set ylabel "time of a contact in a step [µs]"
set xtics (2000, 5000, 10000, 20000, 30000)
plot $data using 1:2 with linespoints lw 2 pt 7 lc rgb "#1f5fa8" title "600 steps to 1e-3, two threads"
