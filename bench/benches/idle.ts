import { setTimeout as delay } from 'node:timers/promises'
import type { BareFanOutAnswers } from '../engine/bare-fan-out.ts'
import { spawnChild } from '../engine/child.ts'
import type { Bench } from '../figure.ts'
import { exactCpuUsOfAll, pssBytesOf } from '../process-figures.ts'

/** The worker has ended by then: it does so when it has had nothing to do for half a minute. */
const settleMs = 45_000
const idleMs = 30_000
const megabyte = 1_000_000
const budgets = { cpu: { max: 0.5 }, own: { max: 110 }, all: { max: 110 } }

/** The built server whose worker rests, and nobody who wants anything; at the same time a `node:http` server that listens. */
export const idle: Bench = {
  names: ['idle'],
  run: async ({ installation }) => {
    await using server = await installation.start()
    await using bare = await spawnChild<BareFanOutAnswers>('bare-fan-out.ts', installation.directory)
    await bare.ask('listen', undefined)
    await delay(settleMs)
    const cpuBefore = [server, bare].map(({ pid }) => exactCpuUsOfAll(pid))
    await delay(idleMs)
    const shares = [server, bare].map(
      ({ pid }, index) => (exactCpuUsOfAll(pid) - (cpuBefore[index] ?? 0)) / (idleMs * 10),
    )
    const { own, all } = pssBytesOf(server.pid)
    const bareBytes = pssBytesOf(bare.pid).all
    return [
      { name: 'idle CPU, all processes', unit: '% of a core', values: [shares[0] ?? Number.NaN], gate: budgets.cpu },
      { name: 'idle CPU, bare node:http', unit: '% of a core', values: [shares[1] ?? Number.NaN] },
      { name: 'idle memory, api', unit: 'MB', values: [own / megabyte], gate: budgets.own },
      { name: 'idle memory, worker', unit: 'MB', values: [(all - own) / megabyte] },
      { name: 'idle memory, all processes', unit: 'MB', values: [all / megabyte], gate: budgets.all },
      { name: 'idle memory, api to bare node:http', unit: 'ratio', values: [own / bareBytes] },
    ]
  },
}
