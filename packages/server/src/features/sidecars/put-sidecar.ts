import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathForSystem } from '../../platform/files/file-names.ts'
import { parseSidecar, type Sidecar, sidecarBytesMax } from './document.ts'

export type Put = 'written' | 'unchanged' | 'inTheWay' | 'refused'

/** Where nothing may be written, or the folder is gone by now. */
const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/**
 * It has its name only once it is whole, and takes the place of none that is not ours. Beside books nothing is made but the
 * file itself, which everybody may read who may read the folder.
 */
export const putSidecar = async (path: string, sidecar: Sidecar, where: 'ours' | 'beside'): Promise<Put> => {
  const text = `${JSON.stringify(sidecar, null, 2)}\n`
  const target = pathForSystem(path)
  const stats = await stat(target).catch(() => undefined)
  if (stats) {
    const before = stats.isFile() && stats.size <= sidecarBytesMax ? await readFile(target, 'utf8') : ''
    if (before === text) return 'unchanged'
    if (!parseSidecar(before)) return 'inTheWay'
  }
  try {
    if (where === 'ours') await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeWhole(path, text, where === 'ours' ? 0o600 : 0o644)
    return 'written'
  } catch (error) {
    if (where === 'beside' && refusals.has((error as NodeJS.ErrnoException).code ?? '')) return 'refused'
    throw error
  }
}

const writeWhole = async (path: string, text: string, mode: number): Promise<void> => {
  // A name with a dot before it is none that a scan looks at.
  const unfinished = pathForSystem(join(dirname(path), `.carrel-${randomUUID()}`))
  try {
    const handle = await open(unfinished, 'wx', mode)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, pathForSystem(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
