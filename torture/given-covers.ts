import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'

/** A cover is a place of its own, which holds the number 1. */
export const coverSlot = (id: string): string => `cover ${id}`

/** The covers in a database whose pictures are in the folder as they were given. */
export const wholeCovers = (database: Sqlite.Database, dataDir: string): string[] =>
  database
    .prepare<[], { id: string; name: string }>('select id, content_hash as name from cover')
    .all()
    .filter(({ name }) => isWhole(dataDir, name))
    .map(({ id }) => coverSlot(id))

/** A picture is called by what it shows when it is large; the small one of the same name ends as a JPEG does. */
const isWhole = (dataDir: string, name: string): boolean => {
  const read = (size: string): Buffer =>
    readFileSync(join(dataDir, 'covers', name.slice(0, 2), name.slice(2, 4), `${name}.${size}.jpg`))
  try {
    const digest = createHash('sha256').update(read('large')).digest('hex')
    return digest.startsWith(name) && read('small').subarray(-2).toString('hex') === 'ffd9'
  } catch {
    return false
  }
}
