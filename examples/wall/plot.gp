# The wall at the instants of outlines.csv, from the side and from the front.  gnuplot -c plot.gp FOLDER  reads
# FOLDER/outlines.csv and FOLDER/ball.csv, writes FOLDER/wall.png
folder = ARG1 eq "" ? "." : ARG1
set datafile separator ","
set terminal pngcairo size 1400,420 font "DejaVu Sans,10"
set output folder."/wall.png"
outlines = folder."/outlines.csv"
ball = folder."/ball.csv"
stats outlines every ::1 using 1 nooutput
pictures = int(STATS_max) + 1
stats outlines every ::1 using 5 nooutput
side = abs(STATS_min) > STATS_max ? abs(STATS_min) : STATS_max
stats outlines every ::1 using 6 nooutput
high = STATS_max
array instant[pictures]
do for [k=1:pictures] {
  stats outlines every ::1 using ($1 == k - 1 ? $2 : 1/0) nooutput
  instant[k] = STATS_max
}
set multiplot
set key off
set size ratio -1
set yrange [-0.05 : 1.1 * high]
set xtics 0.5
set ytics 0.2
do for [view=0:1] {
  do for [k=0:pictures-1] {
    set lmargin at screen 0.04 + 0.96 * k / pictures
    set rmargin at screen 0.02 + 0.96 * (k + 1) / pictures
    set tmargin at screen view == 0 ? 0.92 : 0.47
    set bmargin at screen view == 0 ? 0.60 : 0.15
    if (view == 0) {
      set title sprintf("t = %.2f s", instant[k + 1])
      set xrange [-0.5 : 1.5]
      set xlabel "x [m]"
      plot outlines every ::1 using ($1 == k ? $4 : 1/0):6:7:9 with vectors nohead lw 1 lc rgb "#1f5fa8", \
           ball every ::1 using ($1 == k ? $3 : 1/0):5:6 with circles lw 2 lc rgb "#b5432a"
    } else {
      unset title
      set xrange [-1.1 * side : 1.1 * side]
      set xlabel "y [m]"
      plot outlines every ::1 using ($1 == k ? $5 : 1/0):6:8:9 with vectors nohead lw 1 lc rgb "#1f5fa8", \
           ball every ::1 using ($1 == k ? $4 : 1/0):5:6 with circles lw 2 lc rgb "#b5432a"
    }
  }
}
unset multiplot
