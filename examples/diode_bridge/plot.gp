# Voltages and diode currents of the bridge.  gnuplot -c plot.gp FOLDER  reads FOLDER/trajectory.csv, writes
# FOLDER/diode_bridge.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1200,700 font "DejaVu Sans,11"
set output folder."/diode_bridge.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set key top right
set ylabel "voltage [V]"
plot data every ::1 using ($1*1e3):2 with lines lw 1.5 lc rgb "#b5432a" title "oscillator x_1", \
     data every ::1 using ($1*1e3):4 with lines lw 1.5 lc rgb "#1f5fa8" title "load"
set xlabel "time t [ms]"
set ylabel "current [mA]"
plot data every ::1 using ($1*1e3):($5*1e3) with lines lw 1.5 lc rgb "#1f5fa8" title "diodes D1 and D4", \
     data every ::1 using ($1*1e3):($6*1e3) with lines lw 1.5 lc rgb "#b5432a" title "diodes D2 and D3"
unset multiplot
