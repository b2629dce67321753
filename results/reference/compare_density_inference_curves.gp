# gnuplot compare_density_inference_curves.gp makes compare_density_inference_curves.svg
set terminal svg size 900,860 dynamic background rgb 'white' font 'Helvetica,Arial,sans-serif,15' linewidth 1.2
set output 'compare_density_inference_curves.svg'
set datafile separator ','
set datafile columnheaders
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.6
set lmargin 12
set rmargin 3
stats 'compare_density_inference_curves.csv' using 'f_median' name 'F' nooutput
if (F_records > 0 && F_min > 0 && F_max > 10*F_min) {
  set logscale y
  set format y '10^{%T}'
  if (F_min < 1e-9*F_max) {
    set yrange [1e-9*F_max:*]
  }
} else {
  set format y '%.4g'
}
set ylabel 'best feasible objective'
set title 'density of a ball inferred from a collision' noenhanced font ',17'
set multiplot layout 2,1
unset key
set xlabel 'simulations'
plot 'compare_density_inference_curves.csv' using (strcol('method') eq 'LD_SLSQP' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#08519c' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'adam(learning_rate=1)' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#cb181d' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'gradient_descent(learning_rate=10)' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#238b45' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'cmaes' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#6a51a3' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'bipop_cmaes' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#d94801' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'one_plus_one_es' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#525252' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'LD_SLSQP' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#08519c' title 'LD_SLSQP', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'adam(learning_rate=1)' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#cb181d' title 'adam(learning_rate=1)', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'gradient_descent(learning_rate=10)' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#238b45' title 'gradient_descent(learning_rate=10)', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'cmaes' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#6a51a3' title 'cmaes', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'bipop_cmaes' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#d94801' title 'bipop_cmaes', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'one_plus_one_es' && strcol('unit') eq 'simulations' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#525252' title 'one_plus_one_es'
unset title
set key noenhanced below
set xlabel 'time [s]'
plot 'compare_density_inference_curves.csv' using (strcol('method') eq 'LD_SLSQP' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#08519c' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'adam(learning_rate=1)' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#cb181d' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'gradient_descent(learning_rate=10)' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#238b45' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'cmaes' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#6a51a3' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'bipop_cmaes' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#d94801' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'one_plus_one_es' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_q25':'f_q75' with filledcurves fs transparent solid 0.15 noborder lc rgb '#525252' notitle, \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'LD_SLSQP' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#08519c' title 'LD_SLSQP', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'adam(learning_rate=1)' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#cb181d' title 'adam(learning_rate=1)', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'gradient_descent(learning_rate=10)' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#238b45' title 'gradient_descent(learning_rate=10)', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'cmaes' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#6a51a3' title 'cmaes', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'bipop_cmaes' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#d94801' title 'bipop_cmaes', \
  'compare_density_inference_curves.csv' using (strcol('method') eq 'one_plus_one_es' && strcol('unit') eq 'seconds' ? column('spent') : NaN):'f_median' with lines lw 2 lc rgb '#525252' title 'one_plus_one_es'
unset multiplot
