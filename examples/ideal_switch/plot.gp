# Voltages, relay and current of the switch.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/ideal_switch.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,700 font "DejaVu Sans,11"
set output folder."/ideal_switch.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key center right
set ylabel "voltage [V]"
plot data every ::1 using ($1*1e3):2 with lines lw 1.5 lc rgb "#b5432a" title "source x_1", \
     data every ::1 using ($1*1e3):3 with lines lw 1.5 lc rgb "#1f5fa8" title "load x_2"
set xlabel "time t [ms]"
set ylabel "current of the switch i [A]"
plot data every ::1 using ($1*1e3):5 with lines lw 1.5 lc rgb "#1f5fa8" notitle
unset multiplot
