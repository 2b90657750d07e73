# Heights of the beads over time.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/column_of_beads.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1000,700 font "DejaVu Sans,11"
set output folder."/column_of_beads.png"
data = folder."/trajectory.csv"
stats data every ::1 using 1 nooutput
beads = (STATS_columns - 2) / 2
# No more than 50 lines.
skip = beads > 50 ? int(beads / 50) : 1
set grid
set key off
set xlabel "time t [s]"
set ylabel "height of the centre [m]"
set palette defined (0 "#1f5fa8", 1 "#b5432a")
unset colorbox
plot for [i=0:beads-1:skip] data every ::1 using 1:(column(3 + i)) with lines lw 1.2 lc palette frac (i / (beads - 0.999))
