# What takes longest begins first, so that no core idles at the end: about its seconds.
set(costs cli_builtins 70 results_builtins 37 shim_kernels 34 bench_command 32 opt_adversary 31
  python_package 29 problems_gradient 30 cli_report_browser 27 shim_grains 27 cli_show 25 shim_walls 24
  shim_motion 24 shim_health 30 granular_exact 22 cli_multistart 22 problems_rigid 21 cli_ranks 20
  cli_share 20 cli_faults 20 shim_cli 20 api_vjp 19 api_evals 17 cli_bits 14 docs_commands 13
  results_velocity_2d 13 results_density_seeds 11 cli_resume 12)
list(LENGTH costs n)
math(EXPR last "${n} - 1")
foreach(i RANGE 0 ${last} 2)
  math(EXPR j "${i} + 1")
  list(GET costs ${i} name)
  list(GET costs ${j} seconds)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${seconds})
  endif()
endforeach()
