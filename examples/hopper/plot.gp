# Side views of a slice of the hopper at the instants of snapshots.csv, coloured by speed, and the counts over time.
# gnuplot -c plot.gp FOLDER  reads FOLDER/snapshots.csv and FOLDER/trajectory.csv, writes FOLDER/hopper.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1400,760 font "DejaVu Sans,10"
set output folder."/hopper.png"
snapshots = folder."/snapshots.csv"
stats snapshots every ::1 using 1 nooutput
pictures = int(STATS_max) + 1
stats snapshots every ::1 using 3 nooutput
width = STATS_max - STATS_min
middle = 0.5 * (STATS_max + STATS_min)
stats snapshots every ::1 using 5 nooutput
low = STATS_min
high = STATS_max
array instant[pictures]
do for [k=1:pictures] {
  stats snapshots every ::1 using ($1 == k - 1 ? $2 : 1/0) nooutput
  instant[k] = STATS_max
}
set multiplot
set palette defined (0 "#1f5fa8", 0.5 "#e0c050", 1 "#b5432a")
set cbrange [0:1.5]
unset colorbox
set key off
set size ratio -1
set style fill solid 0.8 border rgb "#404040"
set xtics width / 2 format "%.2f"
set yrange [low - 0.06 * (high - low) : high + 0.06 * (high - low)]
set xrange [middle - 0.57 * width : middle + 0.57 * width]
do for [k=0:pictures-1] {
  set title sprintf("t = %.2f s", instant[k + 1])
  set lmargin at screen 0.04 + 0.96 * k / pictures
  set rmargin at screen 0.02 + 0.96 * (k + 1) / pictures
  set tmargin at screen 0.95
  set bmargin at screen 0.42
  # The half behind the middle, as if the hopper were cut open, the hindmost first.
  plot snapshots every ::1 using ($1 == k && $4 >= 0. ? $3 : 1/0):5:6:7 with circles lw 0.3 fc palette
}
unset title
set size noratio
set key center right
set lmargin at screen 0.07
set rmargin at screen 0.95
set tmargin at screen 0.35
set bmargin at screen 0.08
set autoscale
set xtics autofreq format "%g"
set grid
set xlabel "time t [s]"
set ylabel "number"
data = folder."/trajectory.csv"
plot data every ::1 using 1:4 with lines lw 2 lc rgb "#1f5fa8" title "spheres above the outlet", \
     data every ::1 using 1:5 with lines lw 2 lc rgb "#b5432a" title "discharged", \
     data every ::1 using 1:2 with lines lw 1 lc rgb "#777777" title "contacts"
unset multiplot
