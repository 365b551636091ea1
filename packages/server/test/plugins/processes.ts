import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Household } from './with-plugins.ts'

export const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

/** It lists all processes of plugins of this data directory, each with the mark of its plugin. */
export const processesOf = ({ server }: Household) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      const [mark] = /CARREL_PLUGIN_RUN=[^\0]+/.exec(environment) ?? []
      return mark !== undefined && environment.includes(server.context.config.dataDir) ? [{ pid, mark }] : []
    } catch {
      return []
    }
  })

export const runningOf = (house: Household): string[] => [...new Set(processesOf(house).map(({ mark }) => mark))]
