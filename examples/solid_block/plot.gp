# Soft block dragged askew over a rough floor.  gnuplot -c plot.gp FOLDER  reads trajectory.csv and map.csv of FOLDER,
# writes FOLDER/solid_block.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,700 font "DejaVu Sans,11"
set output folder."/solid_block.png"
data = folder."/trajectory.csv"
map = folder."/map.csv"
stats data every ::1 using 1 nooutput
end = STATS_max
set xrange [0:end]
set multiplot
set origin 0,0.42
set size 1,0.58
set grid
set key left top
set xlabel "time t [s]"
set ylabel "force [N]"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8" title "spring", \
     data every ::1 using 1:(sqrt($4**2 + $5**2)) with lines lw 1 lc rgb "#b5432a" title "friction of the floor"
unset grid
unset key
stats map every ::1 using 2 nooutput
set xrange [-0.05 * STATS_max:1.05 * STATS_max]
stats map every ::1 using 3 nooutput
set yrange [-0.08 * STATS_max:1.08 * STATS_max]
set size ratio -1
set xlabel "x [m]"
set ylabel "y [m]"
set xtics 0.04
set ytics 0.02
set cbrange [0:1]
set palette defined (0 "#f5f5f5", 0.9 "#9cc3e6", 0.999 "#5b93c9", 1 "#b5432a")
unset colorbox
stats map every ::1 using 1 nooutput
do for [k=1:3] {
  wanted = k * end / 4
  stats map every ::1 using (abs($1 - wanted)) nooutput
  near = STATS_min + 1e-9
  set origin (k - 1) / 3., 0
  set size 0.333,0.42
  set title sprintf("friction used at t = %.3g s (red slides)", wanted)
  plot map every ::1 using (abs($1 - wanted) <= near ? $2 : NaN):3:5 with points pt 5 ps 2.2 lc palette
}
unset multiplot
