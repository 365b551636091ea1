interface Progress {
  readonly current: number
  readonly total: number
}

/** Below this share the work done says too little about the work that is left. */
const shareMin = 0.02

/** It extrapolates the time so far; undefined while nobody can know. */
export const timeLeft = ({ current, total }: Progress, elapsedMs: number): number | undefined => {
  if (total <= 0 || current >= total || current / total < shareMin || elapsedMs <= 0) return undefined
  return (elapsedMs / current) * (total - current)
}
