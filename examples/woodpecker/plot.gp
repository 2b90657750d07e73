# Motion of the woodpecker toy.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/woodpecker.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,800 font "DejaVu Sans,11"
set output folder."/woodpecker.png"
data = folder."/trajectory.csv"
set multiplot layout 2,2
set grid
set xlabel "time t [s]"
set ylabel "height y [mm]"
set key off
plot data every ::1 using 1:(1000 * $2) with lines lw 1.5 lc rgb "#1f5fa8"
set ylabel "angle [rad]"
set key bottom right
plot data every ::1 using 1:4 with lines lw 1.5 lc rgb "#b5432a" title "bird", \
     data every ::1 using 1:3 with lines lw 1.2 lc rgb "#1f5fa8" title "sleeve"
set key off
set xlabel "angle of the bird [rad]"
set ylabel "rate of the bird [rad/s]"
plot data every ::1 using 4:7 with lines lw 1 lc rgb "#b5432a"
set xlabel "angle of the sleeve [rad]"
set ylabel "rate of the sleeve [rad/s]"
plot data every ::1 using 3:6 with lines lw 1 lc rgb "#1f5fa8"
unset multiplot
