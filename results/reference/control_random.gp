# mean distance over 64 unseen targets by simulations, one or two seeds
W = 1080
H = 520
load 'style.gp'
set output 'control_random.svg'
set multiplot layout 1,2 title 'finger_random: mean distance from 64 targets that were not seen' \
  noenhanced font ',17'
set xlabel 'simulations'
set ylabel 'mean distance of the tip at the end [m]'
set logscale xy
set format y '%g'
set yrange [5e-3:0.1]
set lmargin 12
set rmargin 2
set key bottom left
seeds = 'control_random.csv'
of(method, r, s) = strcol('method') eq method && column('range') == r && column('seed') == s ? \
  column('simulations') : NaN
do for [r in '0.1 0.15'] {
  set title 'square of '.r.' m' noenhanced
  plot for [s = 1:2] seeds using (of('gradient_descent', r + 0, s)):'distance' with linespoints \
      pt 7 ps 0.6 lw 2 lc rgb blue title s == 1 ? 'gradient descent, a new target each' : '' noenhanced, \
    for [s = 1:(r eq '0.15' ? 2 : 0)] seeds using (of('cmaes', r + 0, s)):'distance' \
      with linespoints pt 6 ps 0.8 lw 1.5 lc rgb red title s == 1 ? 'CMA-ES, ten targets' : '' noenhanced
}
unset multiplot
