import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** It says to which database a data directory belongs, so that another one is not taken for it. */
interface Marker {
  readonly id: string
  readonly database: 'sqlite' | 'postgres'
}

const markerFile = 'installation.json'
/** Only an installation leaves these in its data directory, and only once it has a database. */
const tracesOfUse = [markerFile, 'secret.key', 'covers']

const pathOf = (dataDir: string): string => join(dataDir, markerFile)

/** It names what shows that a data directory has been in use; the list is empty for a new one. */
export const usedBefore = async (dataDir: string): Promise<string[]> => {
  const names = new Set(await readdir(dataDir).catch((): string[] => []))
  return tracesOfUse.filter((name) => names.has(name))
}

export const readMarker = async (dataDir: string): Promise<Marker | undefined> => {
  try {
    const { id, database } = JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as Partial<Marker>
    return id !== undefined && (database === 'sqlite' || database === 'postgres') ? { id, database } : undefined
  } catch {
    // The file is cut off or missing: the next start writes it again.
    return undefined
  }
}

/** The marker is written whole or not at all. */
export const writeMarker = async (dataDir: string, marker: Marker): Promise<void> => {
  const unfinished = `${pathOf(dataDir)}.${randomUUID()}`
  await writeFile(unfinished, `${JSON.stringify(marker)}\n`, { mode: 0o600 })
  await rename(unfinished, pathOf(dataDir))
}

/** Somebody has put another database in its place on purpose: from now on the two belong together. */
export const removeMarker = (dataDir: string): Promise<void> => rm(pathOf(dataDir), { force: true })
