/* CQ_ENGINE(name) */
CQ_ENGINE(mpm)
CQ_ENGINE(fluid)
CQ_ENGINE(granular)
