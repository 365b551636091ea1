import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makePlan, type Plan } from './plan.ts'

const source = fileURLToPath(new URL('disk.c', import.meta.url))

/** It says why calls to the disk cannot be disturbed on this machine; undefined where they can. */
const whyNotHere = (): string | undefined => {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (spawnSync('cc', ['--version']).error) return 'there is no C compiler (Debian: apt-get install gcc libc6-dev)'
  return undefined
}

/** It is for tests that need a disk that fails: they are skipped where there can be none, and say so where everybody sees it. */
export const requireFaultyDisk = (skip: (note: string) => void): void => {
  const reason = whyNotHere()
  if (reason === undefined) return
  const note = `NOT TESTED: a disk that fails or loses power, because ${reason}`
  console.warn(note)
  skip(note)
}

/** A folder whose disk can be disturbed, in the programs that are started with `env`. */
export interface FaultyDisk {
  readonly env: Readonly<Record<string, string>>
  readonly plan: Plan
  /** All changes are written down in this file, in the order in which they were made (journal.ts). */
  readonly journal: string
  /** How long the journal is by now: what was made before has an earlier place in it. */
  journalSize(): number
}

/** `tools` must lie outside of the folder, so that nothing of it counts as the program's. */
export const faultyDisk = (folder: string, toolFolder: string): FaultyDisk => {
  const library = join(toolFolder, 'disk.so')
  const options = ['-O2', '-Wall', '-Wextra', '-Werror', '-D_LARGEFILE64_SOURCE', '-shared', '-fPIC']
  execFileSync('cc', [...options, '-o', library, source, '-ldl'])
  const journal = join(toolFolder, 'journal')
  closeSync(openSync(journal, 'a'))
  const planFile = join(toolFolder, 'plan')
  writeFileSync(planFile, '')
  return {
    env: { LD_PRELOAD: library, DISK_UNDER: folder, DISK_PLAN: planFile, DISK_JOURNAL: journal },
    plan: makePlan(planFile),
    journal,
    journalSize: () => statSync(journal).size,
  }
}
