import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryDirectory {
  readonly path: string
  remove(): Promise<void>
}

const thorough = { recursive: true, force: true, maxRetries: 5 }

/** The directory is deleted when it is disposed of, and also when the bench is interrupted. */
export const makeTemporaryDirectory = async (prefix: string): Promise<TemporaryDirectory> => {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const removeAtExit = () => rmSync(path, thorough)
  process.once('exit', removeAtExit)
  return {
    path,
    remove: async () => {
      process.off('exit', removeAtExit)
      await rm(path, thorough)
    },
  }
}
