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
    const place = join(folder, key.replace(/[^a-z0-9-]/gi, '_'))
    if (use(place)) return place
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const workshop = join(folder, `${unfinished}${newId()}`)
    mkdirSync(workshop, { mode: 0o700 })
    try {
      await fill(workshop)
      writeFileSync(join(workshop, sizeFile), String(sizeOf(workshop)))
      put(workshop, place)
    } finally {
      rmSync(workshop, { recursive: true, force: true })
    }
    makeRoom(folder, place)
    return place
  },
})

const use = (place: string): boolean => {
  try {
    const now = new Date()
    utimesSync(place, now, now)
    return true
  } catch {
    return false
  }
}

/** Another process may have been first; its book is as good. */
const put = (workshop: string, place: string): void => {
  try {
    renameSync(workshop, place)
  } catch (error) {
    if (!use(place)) throw error
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const makeRoom = (folder: string, exceptPlace: string): void => {
  const kept: { place: string; usedMs: number; size: number }[] = []
  for (const name of readdirSync(folder)) {
    const place = join(folder, name)
    const usedMs = lastUseOf(place)
    if (name.startsWith(unfinished)) {
      if (Date.now() - usedMs > unfinishedMs) rmSync(place, { recursive: true, force: true })
    } else if (place !== exceptPlace) kept.push({ place, usedMs, size: recordedSize(place) })
  }
  let total = kept.reduce((sum, { size }) => sum + size, recordedSize(exceptPlace))
  for (const { place, size } of kept.sort((one, other) => one.usedMs - other.usedMs)) {
    if (total <= bytesMax) return
    rmSync(place, { recursive: true, force: true })
    total -= size
  }
}

const lastUseOf = (place: string): number => {
  try {
    return statSync(place).mtimeMs
  } catch {
    return 0
  }
}

const recordedSize = (place: string): number => {
  try {
    return Number(readFileSync(join(place, sizeFile), 'utf8'))
  } catch {
    return 0
  }
}
