# Physics against outside numbers; with the word "long" at more resolution.
foreach(what bar)
  cq_test(validation_${what} cq_sim)
endforeach()
