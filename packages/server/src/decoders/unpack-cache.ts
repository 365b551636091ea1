import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UnpackCache } from '../formats/book-format.ts'
import { newId } from '../platform/ids.ts'

const bytesMax = 4 * 1024 * 1024 * 1024
/** Leftovers of a process that died are kept no longer than anybody could be working on them. */
const unfinishedMs = 10 * 60 * 1000
const unfinished = '.unfinished-'
const sizeFile = '.size'

/**
 * A bounded folder of unpacked books. A book gets its name when it is whole, so no crash and no second process ever sees
 * half of one; what was used longest ago goes first.
 */
export const unpackCache = (folder: string): UnpackCache => ({
  folderFor: async (key, fill) => {
    const path = join(folder, key.replace(/[^a-z0-9-]/gi, '_'))
    if (use(path)) return path
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const workshop = join(folder, `${unfinished}${newId()}`)
    mkdirSync(workshop, { mode: 0o700 })
    try {
      await fill(workshop)
      writeFileSync(join(workshop, sizeFile), String(sizeOf(workshop)))
      put(workshop, path)
    } finally {
      rmSync(workshop, { recursive: true, force: true })
    }
    makeRoom(folder, path)
    return path
  },
})

const use = (path: string): boolean => {
  try {
    const now = new Date()
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

/** Another process may have been first; its book is as good. */
const put = (workshop: string, path: string): void => {
  try {
    renameSync(workshop, path)
  } catch (error) {
    if (!use(path)) throw error
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const makeRoom = (folder: string, exceptPath: string): void => {
  const unpacked: { path: string; usedMs: number; size: number }[] = []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const usedMs = lastUseOf(path)
    if (name.startsWith(unfinished)) {
      if (Date.now() - usedMs > unfinishedMs) rmSync(path, { recursive: true, force: true })
    } else if (path !== exceptPath) unpacked.push({ path, usedMs, size: recordedSize(path) })
  }
  let total = unpacked.reduce((sum, { size }) => sum + size, recordedSize(exceptPath))
  for (const { path, size } of unpacked.sort((one, other) => one.usedMs - other.usedMs)) {
    if (total <= bytesMax) return
    rmSync(path, { recursive: true, force: true })
    total -= size
  }
}

const lastUseOf = (path: string): number => {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}

const recordedSize = (path: string): number => {
  try {
    return Number(readFileSync(join(path, sizeFile), 'utf8'))
  } catch {
    return 0
  }
}
