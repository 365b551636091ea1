import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { folderInMemory } from '../folder-in-memory.ts'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

export const temporaryFolder = async (): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(await folderInMemory(), 'carrel-smoke-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
