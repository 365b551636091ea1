import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { folderInMemory } from './folder-in-memory.ts'
import { migrateFresh } from './migrate-fresh.ts'

/** One migrated file, which every test server starts from a copy of. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = await mkdtemp(join(await folderInMemory(), 'carrel-template-'))
  const template = join(directory, 'template.db')
  await migrateFresh({ kind: 'sqlite', file: template })
  project.provide('template', template)
  return () => rm(directory, { recursive: true, force: true })
}
