# Physics against outside numbers (docs/validation.md). The long tests have more resolution; with a
# folder as argument, as results/reference/make_validation.sh calls them, they write their tables.
foreach(what budgets bar disks plate elastica manufactured csm3 chambers grains)
  cq_test(validation_${what} cq_sim)
  add_test(NAME validation_${what}_long COMMAND test_validation_${what} long)
  set_tests_properties(validation_${what}_long PROPERTIES LABELS long TIMEOUT 1800
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
# minutes under sanitizers
set_tests_properties(validation_grains validation_budgets validation_csm3
  validation_elastica PROPERTIES LABELS slow)
