import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { openLibraryFile } from '../../../platform/storage/library-files.ts'

export interface FileBeside {
  readonly path: string
  readonly size: number
}

/**
 * The first of these paths below the folder that is a file. A store that a stranger has made can name any path, and its
 * folder can hold links: what leads out of the folder is not there.
 */
export const fileBeside = (folder: string | null, paths: readonly string[]): FileBeside | undefined => {
  if (folder === null) return undefined
  const root = realPathOf(folder)
  if (root === undefined) return undefined
  const inside = root.endsWith(sep) ? root : root + sep
  for (const path of paths) {
    const real = path.includes('\0') ? undefined : realPathOf(join(root, path))
    if (real === undefined || !real.startsWith(inside)) continue
    const stats = statSync(real, { throwIfNoEntry: false })
    if (stats?.isFile()) return { path: real, size: stats.size }
  }
  return undefined
}

const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** The whole file, unless it is longer than that or changes while it is read. */
export const readBeside = ({ path, size }: FileBeside, bytesMax: number): Uint8Array | undefined => {
  if (size > bytesMax) return undefined
  const file = openLibraryFile(path)
  try {
    const bytes = file.read(0, size)
    return bytes.length === size ? bytes : undefined
  } finally {
    file.close()
  }
}
