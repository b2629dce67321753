# the objective over the density, the evaluations of LD_SLSQP, and the answers of five samplings
W = 1080
H = 520
load 'style.gp'
set output 'density_inference.svg'
paper = 2.26
stats 'density_inference_seeds.csv' using 'density' every ::0::0 name 'D' nooutput
answer = D_min
set multiplot layout 1,2 title 'density_inference: density of ball A from where ball B goes' \
  noenhanced font ',17'
set ylabel 'squared distance of B from its target [m^2]' enhanced
set xlabel 'density of A [kg/m^2]' enhanced
set lmargin 12
set rmargin 2

set logscale y
set format y '10^{%T}'
set xrange [0.8:6.2]
set yrange [3e-6:1e-1]
set key top right samplen 1.5
set arrow 1 from answer, graph 0 to answer, graph 1 nohead dashtype 2 lc rgb gray
plot 'density_inference.csv' using 'density':'loss' with lines lw 2 lc rgb blue title 'scan', \
  'density_inference_slsqp.csv' using 'density':'loss' with points pt 7 ps 0.7 lc rgb red \
    title 'LD\_SLSQP, evaluated', \
  keyentry with lines dashtype 2 lc rgb gray title sprintf('its answer %.4f', answer)

unset logscale y
set ylabel '10^5 × squared distance [m^2]' enhanced
set format y '%g'
set xrange [2.15:2.37]
set yrange [0:4.6]
set xtics 0.05
set arrow 1 from answer, graph 0 to answer, graph 0.63 nohead dashtype 2 lc rgb gray
set arrow 2 from paper, graph 0 to paper, graph 0.63 nohead dashtype 3 lw 1.5 lc rgb '#31a354'
plot 'density_inference.csv' using 'density':(1e5*column('loss')) with lines lw 2 lc rgb blue \
    title 'scan', \
  'density_inference_slsqp.csv' using 'density':(1e5*column('loss')) with points pt 7 ps 0.7 \
    lc rgb red title 'LD\_SLSQP, evaluated', \
  keyentry with lines dashtype 2 lc rgb gray title sprintf('its answer %.4f', answer), \
  keyentry with lines dashtype 3 lw 1.5 lc rgb '#31a354' title 'published 2.26', \
  'density_inference_seeds.csv' using 'density':(1e5*column('loss')) with points pt 6 ps 1.1 \
    lc rgb '#000000' title 'five samplings, each at its answer'
unset multiplot
