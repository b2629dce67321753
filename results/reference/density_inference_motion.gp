# the two balls at the start, in contact and at the end, at the answer
W = 860
H = 980
load 'style.gp'
set output 'density_inference_motion.svg'
set multiplot layout 3,1 title 'density_inference at its answer: ball A hits ball B' noenhanced \
  font ',17' margins 0.12, 0.97, 0.09, 0.9 spacing 0.06
set size ratio -1
set xrange [0.08:0.74]
set yrange [0.37:0.58]
set xtics 0.1
set ytics 0.05
set ylabel 'y [m]'
set key at screen 0.97, 0.955 right top horizontal samplen 1.2 width 1
of(s, b) = column('step') == s && strcol('body') eq b ? column('x') : NaN
set label 2 '' at 0.68, 0.52 point pt 2 ps 1.3 lw 2 lc rgb '#000000' front
do for [i = 1:3] {
  step = word('0 160 400', i) + 0
  set label 1 sprintf('t = %.2f s', 2.25e-3*step) at graph 0.04, 0.93 left
  if (i == 2) { unset key }
  if (i == 3) { set xlabel 'x [m]' }
  plot 'density_inference_centres.csv' using 'A.x':'A.y' with lines lc rgb '#1f77b4' notitle, \
    '' using 'B.x':'B.y' with lines lc rgb '#d62728' notitle, \
    'density_inference_motion.csv' using (of(step, 'A')):'y' with points pt 7 ps 0.35 \
      lc rgb '#1f77b4' notitle, \
    '' using (of(step, 'B')):'y' with points pt 7 ps 0.35 lc rgb '#d62728' notitle, \
    keyentry with points pt 7 ps 1 lc rgb '#1f77b4' title 'A', \
    keyentry with points pt 7 ps 1 lc rgb '#d62728' title 'B', \
    keyentry with lines lc rgb gray title 'paths of the centres', \
    keyentry with points pt 2 ps 1.3 lw 2 lc rgb '#000000' title 'target of B'
}
unset multiplot
