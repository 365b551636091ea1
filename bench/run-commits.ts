import type { CommitLoop } from './databases/database.ts'
import type { Round } from './rounds.ts'

/** The bare database under the same number of writers, in this process. */
export const runCommits = async (commits: CommitLoop, writers: number, durationMs: number): Promise<Round> => {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const drive = async (lane: number): Promise<void> => {
    for (let now = performance.now(); now < startedAt + durationMs;) {
      await commits.commit(lane, `{"n":${latenciesMs.length}}`)
      const doneAt = performance.now()
      latenciesMs.push(doneAt - now)
      now = doneAt
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, lane) => drive(lane)))
  const perSecond = (latenciesMs.length * 1000) / (performance.now() - startedAt)
  return {
    requests: latenciesMs.length,
    perSecond,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
    cpuUsPerRequest: Number.NaN,
  }
}
