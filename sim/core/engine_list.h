/* CQ_ENGINE(name) */
CQ_ENGINE(mpm)
