# What the floor of a silo carries while it is filled, beside Janssen's law.
# gnuplot -c plot_poured.gp FOLDER  reads FOLDER/trajectory.csv of a run with --pour, writes FOLDER/silo_poured.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 900,560 font "DejaVu Sans,10"
set output folder."/silo_poured.png"
data = folder."/trajectory.csv"
set fit quiet
set fit logfile "/dev/null"
# All of a load W up to what friction can hold: F = Ws (1 - exp(-W / Ws)).
janssen(W) = Ws * (1. - exp(-W / Ws))
stats data every ::1 using 5 nooutput
Ws = 0.5 * STATS_max
fit janssen(x) data every ::1 using 5:4 via Ws
set grid
set xlabel "weight of the spheres in the silo [N]"
set ylabel "load [N]"
set key top left
set xrange [0:STATS_max]
set yrange [0:STATS_max]
plot data every ::1 using 5:4 smooth unique with linespoints pt 7 ps 0.5 lc rgb "#1f5fa8" \
       title "carried by the floor, mean until the next layer", \
     janssen(x) with lines lw 2 lc rgb "#b5432a" title sprintf("Janssen's law, saturated at %.0f N", Ws), \
     x with lines dt 2 lc rgb "#777777" title "all of the weight"
