# What the floor of the silo carries, and what each step cost on ranks.
# gnuplot -c plot_mpi.gp FOLDER  reads FOLDER/trajectory.csv, writes FOLDER/silo_mpi.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1100,700 font "DejaVu Sans,10"
set output folder."/silo_mpi.png"
data = folder."/trajectory.csv"
set multiplot layout 2,1
set grid
set xlabel "time t [s]"
set ylabel "load [N]"
set key top right
plot data every ::1 using 1:4 with lines lw 2 lc rgb "#1f5fa8" title "carried by the floor", \
     data every ::1 using 1:5 with lines dt 2 lc rgb "#777777" title "weight of the spheres"
set logscale y
set ylabel "wall time of a step [ms]"
set y2label "contacts"
set y2tics
set key bottom right
plot data every ::1 using 1:8 with lines lc rgb "#b5432a" title "wall time of a step", \
     data every ::1 using 1:2 axes x1y2 with lines lw 2 lc rgb "#e0a030" title "contacts"
unset multiplot
