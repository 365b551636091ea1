import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnpackCache } from '../../src/formats/book-format.ts'

/** The least that an `UnpackCache` has to do, and a look at what it did. */
export interface TestUnpackCache extends UnpackCache {
  readonly fills: string[]
  /** Every file in it, with its bytes. */
  readonly files: () => ReadonlyMap<string, Buffer>
  /** It throws everything away, as room for others would. */
  readonly clear: () => void
  /** It removes the files as if room were made while somebody still reads. */
  readonly loseFiles: () => void
  readonly remove: () => void
}

export const testUnpackCache = (): TestUnpackCache => {
  const root = mkdtempSync(join(tmpdir(), 'carrel-unpack-'))
  const filled = new Set<string>()
  const fills: string[] = []
  const empty = (): void => {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
  }
  return {
    fills,
    folderFor: async (key, fill) => {
      const folder = join(root, key)
      if (filled.has(key)) return folder
      mkdirSync(folder, { recursive: true })
      fills.push(key)
      await fill(folder)
      filled.add(key)
      return folder
    },
    files: () => {
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
      return new Map(files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]))
    },
    clear: () => {
      filled.clear()
      empty()
    },
    loseFiles: empty,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
