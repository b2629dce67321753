# Physics against outside numbers; with the word "long" at more resolution.
foreach(what budgets bar disks plate manufactured)
  cq_test(validation_${what} cq_sim)
endforeach()
