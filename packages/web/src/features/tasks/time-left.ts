interface Progress {
  readonly current: number
  readonly total: number
}

/** Below this share what has been done says too little about what is to come. */
const shareMin = 0.02

/** How long it will take if it goes on as it did; undefined while nobody can know. */
export const timeLeft = ({ current, total }: Progress, elapsedMs: number): number | undefined => {
  if (total <= 0 || current >= total || current / total < shareMin || elapsedMs <= 0) return undefined
  return (elapsedMs / current) * (total - current)
}
