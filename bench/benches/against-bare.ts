import type { Figure } from '../figure.ts'
import { ratios, type Round } from '../rounds.ts'

export const usualLoad = { connections: 16, awake: true }

/** One door of ours beside the bare server that answers the same bytes. */
export const figuresAgainstBare = (name: string, ours: readonly Round[], bare: readonly Round[]): Figure[] => [
  { name: `${name} CPU per request`, unit: 'µs', values: ours.map(({ cpuUsPerRequest }) => cpuUsPerRequest) },
  { name: `${name} requests per second`, unit: '/s', values: ours.map(({ perSecond }) => perSecond) },
  { name: `${name} of bare node:http, by CPU`, unit: '× limit', values: ratios(bare, ours, 'cpuUsPerRequest') },
  { name: `${name} of bare node:http, by time`, unit: '× limit', values: ratios(ours, bare, 'perSecond') },
]
