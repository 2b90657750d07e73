# Output, relay and phase plane.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/relay_feedback.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1000,500 font "DejaVu Sans,11"
set output folder."/relay_feedback.png"
data = folder."/trajectory.csv"
stats data every ::1 using 1 nooutput
set multiplot
set grid
set key off
set xrange [0.7*STATS_max:STATS_max]
set origin 0,0.5
set size 0.5,0.5
set ylabel "output y = x_1"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8"
set origin 0,0
set xlabel "time t [s]"
set ylabel "relay λ"
set yrange [-1.2:1.2]
plot data every ::1 using 1:5 with lines lw 1 lc rgb "#b5432a"
set origin 0.5,0
set size 0.5,1
set autoscale
set xlabel "x_1"
set ylabel "x_2"
plot data every ::1 using 2:3 with lines lw 1 lc rgb "#1f5fa8"
unset multiplot
