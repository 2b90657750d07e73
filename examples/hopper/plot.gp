# Side views of a slice of the hopper at the instants of snapshots.csv, coloured by speed, and the counts over time.
# gnuplot -c plot.gp FOLDER  reads FOLDER/snapshots.csv and FOLDER/trajectory.csv, writes FOLDER/hopper.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1400,1000 font "DejaVu Sans,10"
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
set multiplot
set palette defined (0 "#1f5fa8", 0.5 "#e0c050", 1 "#b5432a")
set cbrange [0:2]
unset colorbox
set key off
set size ratio -1
set xtics width / 2
set format x "%.2f"
columns = pictures < 1 ? 1 : pictures
do for [k=0:pictures-1] {
  stats snapshots every ::1 using ($1 == k ? $2 : NaN) nooutput
  set title sprintf("t = %.2f s", STATS_mean)
  set lmargin at screen 0.04 + 0.96 * k / columns
  set rmargin at screen 0.02 + 0.96 * (k + 1) / columns
  set tmargin at screen 0.95
  set bmargin at screen 0.40
  set xrange [middle - 0.55 * width : middle + 0.55 * width]
  set yrange [low - 0.03 * (high - low) : high + 0.03 * (high - low)]
  plot snapshots every ::1 using ($1 == k && abs($4) < 0.25 * width ? $3 : NaN):5:6 with points pt 7 ps 0.55 lc palette
}
unset title
set size noratio
set key top right
set lmargin at screen 0.07
set rmargin at screen 0.95
set tmargin at screen 0.32
set bmargin at screen 0.07
set autoscale
set xtics autofreq
set format x "%g"
set grid
set xlabel "time t [s]"
set ylabel "number"
data = folder."/trajectory.csv"
plot data every ::1 using 1:4 with lines lw 2 lc rgb "#1f5fa8" title "spheres above the outlet", \
     data every ::1 using 1:5 with lines lw 2 lc rgb "#b5432a" title "discharged", \
     data every ::1 using 1:2 with lines lw 1 lc rgb "#777777" title "contacts"
unset multiplot
