# Path and velocity.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/slope_throw.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,500 font "DejaVu Sans,11"
set output folder."/slope_throw.png"
data = folder."/trajectory.csv"
set multiplot layout 1,2
set grid
set key top right
set xlabel "across the slope y [m]"
set ylabel "down the slope x [m]"
set yrange [] reverse
plot data every ::1 using 3:2 with lines lw 2 lc rgb "#1f5fa8" title "path"
set yrange [] noreverse
set xlabel "velocity down the slope [m/s]"
set ylabel "velocity across [m/s]"
plot data every ::1 using 4:6 with lines lw 4 lc rgb "#e8b9ad" title "hodograph", \
     data every ::1 using 4:5 with lines lw 1.5 lc rgb "#1f5fa8" title "computed"
unset multiplot
