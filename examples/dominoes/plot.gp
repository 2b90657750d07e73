# Tilts of the dominoes, and the speed of the wave beside that of the angle model.
# gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv and FOLDER/hits.csv, writes FOLDER/dominoes.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,460 font "DejaVu Sans,10"
set output folder."/dominoes.png"
data = folder."/trajectory.csv"
hits = folder."/hits.csv"
stats data every ::1 using 1 nooutput
columns = STATS_columns
set multiplot layout 1,2
set grid
set xlabel "time t [s]"
set ylabel "tilt [degrees]"
set key off
plot for [c=4:columns] data every ::1 using 1:(column(c) * 57.29578) with lines lw 1 lc rgb "#1f5fa8"
set key right bottom
set xlabel "domino"
set ylabel "speed of the wave [m/s]"
plot hits every ::1 using 1:5 with lines lw 2 title "angle model", \
     hits every ::1 using 1:4 with points pt 7 title "run"
unset multiplot
