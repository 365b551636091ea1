import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'

/** A bounded folder of files that can be made again at any time. Nothing that goes wrong with it is a fault. */
export interface FileCache {
  get(name: string): Promise<Buffer | undefined>
  put(name: string, bytes: Buffer): Promise<void>
}

const unfinished = '.unfinished-'
/** Nothing is cached for a while after a failure: the disk is full, or read-only. */
const restMs = 30_000

export const fileCache = (folder: string, bytesMax: number, log: Log): FileCache => {
  let loading: Promise<Contents> | undefined
  let restUntil = 0
  const contents = (): Promise<Contents> => (loading ??= load(folder))
  const pathOf = (name: string, size: number): string => join(folder, name.slice(0, 2), fileNameOf(name, size))

  const makeRoom = async (all: Contents): Promise<void> => {
    for (const name of all.names()) {
      if (all.bytes() <= bytesMax) return
      const path = pathOf(name, all.sizeOf(name) ?? 0)
      all.forget(name)
      await rm(path, { force: true })
    }
  }

  return {
    get: async (name) => {
      const all = await contents()
      const size = all.sizeOf(name)
      if (size === undefined) return undefined
      const path = pathOf(name, size)
      const bytes = await readFile(path).catch(() => undefined)
      if (bytes?.length !== size) {
        all.forget(name)
        await rm(path, { force: true }).catch(() => undefined)
        return undefined
      }
      all.keep(name, size)
      // The file time keeps the order of use for after a restart.
      const now = new Date()
      void utimes(path, now, now).catch(() => undefined)
      return bytes
    },
    put: async (name, bytes) => {
      if (bytes.length > bytesMax / 4 || Date.now() < restUntil) return
      const all = await contents()
      const shard = join(folder, name.slice(0, 2))
      const workshop = join(shard, unfinished + newId())
      try {
        await mkdir(shard, { recursive: true, mode: 0o700 })
        await writeFile(workshop, bytes, { mode: 0o600 })
        const before = all.sizeOf(name)
        await rename(workshop, pathOf(name, bytes.length))
        if (before !== undefined && before !== bytes.length) await rm(pathOf(name, before), { force: true })
        all.keep(name, bytes.length)
        await makeRoom(all)
      } catch (err) {
        restUntil = Date.now() + restMs
        log.warn({ err }, 'A picture could not be kept; it will be made again')
        await rm(workshop, { force: true }).catch(() => undefined)
      }
    },
  }
}

/** How long it is stands in its name: nothing is flushed here, and a power cut may leave a part of a file. */
const fileNameOf = (name: string, size: number): string => `${name}.${size}`

const nameIn = (fileName: string, size: number): string | undefined =>
  fileName.endsWith(`.${size}`) ? fileName.slice(0, -`.${size}`.length) : undefined

/** It is the content of the folder; the file used longest ago comes first. */
interface Contents {
  names(): Iterable<string>
  bytes(): number
  sizeOf(name: string): number | undefined
  keep(name: string, size: number): void
  forget(name: string): void
}

const contentsOf = (files: readonly (readonly [name: string, size: number])[]): Contents => {
  const sizes = new Map<string, number>()
  let total = 0
  const forget = (name: string): void => {
    total -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  const keep = (name: string, size: number): void => {
    forget(name)
    sizes.set(name, size)
    total += size
  }
  for (const [name, size] of files) keep(name, size)
  return { names: () => sizes.keys(), bytes: () => total, sizeOf: (name) => sizes.get(name), keep, forget }
}

const load = async (folder: string): Promise<Contents> => {
  const files: { name: string; size: number; usedMs: number }[] = []
  for (const shard of await namesIn(folder)) {
    for (const fileName of await namesIn(join(folder, shard))) {
      const path = join(folder, shard, fileName)
      const stats = await stat(path).catch(() => undefined)
      if (!stats?.isFile()) continue
      const name = fileName.startsWith(unfinished) ? undefined : nameIn(fileName, stats.size)
      if (name === undefined) await rm(path, { force: true }).catch(() => undefined)
      else files.push({ name, size: stats.size, usedMs: stats.mtimeMs })
    }
  }
  files.sort((one, other) => one.usedMs - other.usedMs)
  return contentsOf(files.map(({ name, size }) => [name, size]))
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
