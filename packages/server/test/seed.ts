/**
 * What is tried at random is the same in every run, so that a tree that was green stays green. `SEED=…` tries something
 * else: with `WALKS=…` that is how to look for faults before they are met.
 */
export const seed = Number(process.env['SEED'] ?? 20_261_124)
