import { type Load, type LoadResult, putLoad } from './load.ts'
import { cpuUsOf } from './process-figures.ts'

/** One of the things compared: a load, and the process whose time it costs. */
export interface Contender {
  readonly pid: number
  /** Its own time counts, or that of all it started as well. */
  readonly cpuUs?: (pid: number) => number
  readonly load: Omit<Load, 'durationMs'>
}

export interface Round extends LoadResult {
  readonly cpuUsPerRequest: number
}

interface Pace {
  readonly rounds: number
  readonly roundMs: number
  readonly warmUpMs: number
}

const usualPace: Pace = { rounds: 11, roundMs: 1200, warmUpMs: 2000 }

/** Each in turn, again and again, each time another first: whatever else the machine does hits all of them alike. */
export const runRounds = async <Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, roundMs, warmUpMs }: Pace = usualPace,
): Promise<Record<Name, Round[]>> => {
  const names = Object.keys(contenders) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>
  for (const name of names) await putLoad({ ...contenders[name].load, durationMs: warmUpMs })
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)])
      results[name].push(await runOnce(contenders[name], roundMs))
  }
  return results
}

export const runOnce = async ({ pid, load, cpuUs = cpuUsOf }: Contender, durationMs: number): Promise<Round> => {
  const before = cpuUs(pid)
  const result = await putLoad({ ...load, durationMs })
  return { ...result, cpuUsPerRequest: (cpuUs(pid) - before) / result.requests }
}

/** Round by round, so that both sides of a ratio had the same weather. */
export const ratios = (
  above: readonly Round[],
  below: readonly Round[],
  measure: 'perSecond' | 'cpuUsPerRequest',
): number[] => above.map((round, index) => round[measure] / (below[index]?.[measure] ?? Number.NaN))
