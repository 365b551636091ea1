import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

interface Size {
  readonly memoryBytes: number
  readonly processes: number
}

export interface Sizes {
  /** Tells, again and again, how large a process is with all that come from it. It returns how to stop that. */
  watch(pid: number, onSize: (size: Size) => void): () => void
}

const checkMs = 250
const pageBytes = 4096

/** One check of all processes for everybody who is watched. Linux only: elsewhere it never tells. */
export const watchSizes = (): Sizes => {
  const watched = new Map<number, (size: Size) => void>()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    const table = readProcesses()
    for (const [pid, tell] of watched) if (table.own.has(pid)) tell(sizeOf(pid, table))
  }
  return {
    watch: (pid, onSize) => {
      watched.set(pid, onSize)
      timer ??= setInterval(check, checkMs)
      return () => {
        watched.delete(pid)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

interface Processes {
  readonly own: ReadonlyMap<number, number>
  readonly children: ReadonlyMap<number, readonly number[]>
}

/** Small files that are no files: they are read where we stand. */
const readProcesses = (): Processes => {
  const own = new Map<number, number>()
  const children = new Map<number, number[]>()
  for (const name of namesIn('/proc')) {
    const pid = Number(name)
    if (!(pid > 0)) continue
    const stat = textOf(`/proc/${name}/stat`)
    // A name may hold anything, brackets and spaces too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const parent = Number(fields[1])
    own.set(pid, Number(fields[21] ?? 0) * pageBytes)
    const siblings = children.get(parent)
    if (siblings) siblings.push(pid)
    else children.set(parent, [pid])
  }
  return { own, children }
}

const sizeOf = (root: number, { own, children }: Processes): Size => {
  let memoryBytes = 0
  let processes = 0
  const open = [root]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    memoryBytes += own.get(pid) ?? 0
    processes += 1
    open.push(...(children.get(pid) ?? []))
  }
  return { memoryBytes, processes }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

/** A file takes this much besides its bytes: a million empty ones are no small thing. */
const bytesOfEntry = 4096

/** It stops counting once the limit is exceeded. */
export const sizeOfFolder = async (folder: string, bytesMax: number): Promise<number> => {
  let bytes = 0
  const open = [folder]
  for (let path = open.pop(); path !== undefined && bytes <= bytesMax; path = open.pop()) {
    for await (const entry of entriesOf(path)) {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) open.push(inside)
      bytes += bytesOfEntry + (entry.isFile() ? await bytesOf(inside) : 0)
      if (bytes > bytesMax) break
    }
  }
  return bytes
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch {
    // It has gone meanwhile, or cannot be read: not by us either.
  }
}

const bytesOf = async (path: string): Promise<number> => {
  try {
    return (await lstat(path)).size
  } catch {
    return 0
  }
}
