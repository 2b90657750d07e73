# Voltages and current of the rectifier.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/diode_bridge_filter.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1000,650 font "DejaVu Sans,11"
set output folder."/diode_bridge_filter.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key top right
set ylabel "voltage [V]"
plot data every ::1 using 1:2 with lines lw 1 lc rgb "#999999" title "source", \
     data every ::1 using 1:4 with lines lw 1.5 lc rgb "#1f5fa8" title "capacitor v"
set ylabel "current [A]"
set xlabel "time t [s]"
plot data every ::1 using 1:3 with lines lw 1.2 lc rgb "#b5432a" title "source i"
unset multiplot
