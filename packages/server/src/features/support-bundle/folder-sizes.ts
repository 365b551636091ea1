import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Carrel makes these in its data folder; whatever else is there is summed up, for it may have any name. */
const ours = [
  'carrel.db',
  'carrel.db-wal',
  'carrel.db-shm',
  'carrel.db.damaged',
  'reserve',
  'backups',
  'cache',
  'covers',
  'exports',
  'imports',
  'plugins',
  'scans',
  'sidecars',
] as const

const entriesMax = 300_000

interface Size {
  files: number
  bytes: number
}

interface FolderSizes {
  readonly of: Readonly<Record<string, Size>>
  /** There is more than was looked at. */
  readonly isIncomplete: boolean
}

export const sizesIn = async (dataDir: string): Promise<FolderSizes> => {
  const sizes: Record<string, Size> = {}
  let left = entriesMax
  const walk = async (folder: string, name: string | undefined): Promise<void> => {
    const entries = await opendir(folder).catch(() => undefined)
    if (!entries) return
    for await (const entry of entries) {
      if ((left -= 1) < 0) return
      const path = join(folder, entry.name)
      const counted = name ?? ours.find((each) => each === entry.name) ?? 'other'
      if (entry.isDirectory()) await walk(path, counted)
      else await add(path, (sizes[counted] ??= { files: 0, bytes: 0 }))
    }
  }
  await walk(dataDir, undefined)
  return { of: sizes, isIncomplete: left < 0 }
}

const add = async (path: string, size: Size): Promise<void> => {
  const bytes = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
  size.files += 1
  size.bytes += bytes
}
