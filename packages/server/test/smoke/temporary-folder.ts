import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
}

export const temporaryFolder = async (): Promise<TemporaryFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-smoke-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
