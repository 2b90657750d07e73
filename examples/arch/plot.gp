# The arch at the instants of outlines.csv.  gnuplot -c plot.gp FOLDER  reads FOLDER/outlines.csv, writes FOLDER/arch.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,520 font "DejaVu Sans,10"
set output folder."/arch.png"
outlines = folder."/outlines.csv"
stats outlines every ::1 using 1 nooutput
pictures = int(STATS_max) + 1
stats outlines every ::1 using 3 nooutput
stones = int(STATS_max) + 1
array instant[pictures]
do for [k=1:pictures] {
  stats outlines every ::1 using ($1 == k - 1 ? $2 : 1/0) nooutput
  instant[k] = STATS_max
}
set multiplot layout 2,(pictures + 1) / 2
set key off
set size ratio -1
set xrange [-1.5 : 1.5]
set yrange [-0.1 : 1.2]
set xtics 1
set ytics 0.5
set xlabel "x [m]"
do for [k=0:pictures-1] {
  set title sprintf("t = %.2f s", instant[k + 1])
  plot for [s=0:stones-1] outlines every ::1 using ($1 == k && $3 == s ? $4 : 1/0):5 with lines lw 1 lc rgb "#1f5fa8"
}
unset multiplot
