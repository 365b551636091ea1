import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTemporaryDirectory } from '../temporary-directory.ts'

export interface EmptyFiles extends AsyncDisposable {
  readonly root: string
}

/** A folder of files that have names and no content: what it takes to list them, and nothing else. */
export const emptyFiles = async (paths: Iterable<string>): Promise<EmptyFiles> => {
  const { path: root, remove } = await makeTemporaryDirectory('carrel-bench-empty-')
  const made = new Set<string>()
  for (const path of paths) {
    const file = join(root, path)
    const folder = dirname(file)
    if (!made.has(folder)) mkdirSync(folder, { recursive: true })
    made.add(folder)
    writeFileSync(file, '')
  }
  return { root, [Symbol.asyncDispose]: remove }
}
