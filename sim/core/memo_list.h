/* CQ_MEMO(name): a policy, memo_<name> in memo_policies.c */
CQ_MEMO(binomial)
CQ_MEMO(sqrt)
CQ_MEMO(full)
