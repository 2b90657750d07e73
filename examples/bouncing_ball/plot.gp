# Height and energy of the bouncing ball.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/bouncing_ball.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1000,700 font "DejaVu Sans,11"
set output folder."/bouncing_ball.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key off
set ylabel "height q [m]"
plot data every ::1 using 1:2 with lines lw 1.5 lc rgb "#1f5fa8"
set xlabel "time t [s]"
set ylabel "energy [J]"
plot data every ::1 using 1:5 with lines lw 1.5 lc rgb "#b5432a"
unset multiplot
