# Four-bar linkage with clearance.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/four_bar.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,800 font "DejaVu Sans,11"
set output folder."/four_bar.png"
data = folder."/trajectory.csv"
set multiplot layout 2,2
set grid
set key off
set size ratio -1
set xtics 0.5
set xlabel "pin in the bushing, x [mm]"
set ylabel "z [mm]"
plot data every ::1 using (1e3*$4):(1e3*$5) with lines lw 1 lc rgb "#1f5fa8"
set size noratio
set xtics auto
set xlabel "time t [s]"
set ylabel "angle of the rocker [rad]"
plot data every ::1 using 1:3 with lines lw 1.5 lc rgb "#2e7d32"
set ylabel "gap [mm]"
plot data every ::1 using 1:(1e3*$6) with lines lw 1 lc rgb "#b5432a"
set ylabel "driving moment, mean of a step [N m]"
set yrange [-40:40]
plot data every ::1 using 1:9 with lines lw 1 lc rgb "#1f5fa8"
unset multiplot
