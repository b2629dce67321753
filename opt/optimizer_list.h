/* Every optimizer, one line each: CQ_OPTIMIZER(name). A new one is a const cq_optimizer named
 * cq_optimizer_<name> in a file of its own (an NLopt algorithm: a row of nlopt_methods.c) and a
 * line here. The order is that of listings. */
CQ_OPTIMIZER(LD_SLSQP)
CQ_OPTIMIZER(LD_MMA)
CQ_OPTIMIZER(LD_CCSAQ)
CQ_OPTIMIZER(LD_LBFGS)
CQ_OPTIMIZER(AUGLAG_LBFGS)
CQ_OPTIMIZER(AUGLAG_CCSAQ)
CQ_OPTIMIZER(LN_COBYLA)
CQ_OPTIMIZER(LN_NELDERMEAD)
CQ_OPTIMIZER(gradient_descent)
CQ_OPTIMIZER(adam)
