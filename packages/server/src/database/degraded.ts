import { readFileSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'

type DegradedReason = 'database_damaged' | 'disk_full'

/** It says why an installation does less than it should. */
export interface Degradation {
  readonly id: string
  readonly reason: DegradedReason
  /** The file that is damaged, or the folder whose disk is full. */
  readonly path: string
  /** It is the message of the database or the system. */
  readonly detail: string
  readonly since: string
}

/** It holds the present problems of an installation, as far as this process knows them. */
export interface Degraded {
  list(): readonly Degradation[]
  has(reason: DegradedReason): boolean
  /** One report is enough: a reason that is known already keeps its time. It returns whether the reason is new. */
  report(news: Pick<Degradation, 'reason' | 'path' | 'detail'>): boolean
  end(reason: DegradedReason): void
  /** It returns a function that stops listening. */
  onChange(listener: () => void): () => void
  close(): void
}

interface DegradedOptions {
  readonly log: Log
  /** The database whose damage every process that opens it must know of, now and after a restart. */
  readonly databaseFile?: string
}

/** The mark stands beside a damaged database until that has been checked and found intact, or replaced. */
export const damageMarkOf = (databaseFile: string): string => `${databaseFile}.damaged`

const checkEveryMs = 1000

export const openDegraded = ({ log, databaseFile }: DegradedOptions): Degraded => {
  const degradations = new Map<DegradedReason, Degradation>()
  const listeners = new Set<() => void>()
  const mark = databaseFile === undefined ? undefined : damageMarkOf(databaseFile)

  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const begin = (degradation: Degradation): void => {
    degradations.set(degradation.reason, degradation)
    log.error({ ...degradation }, sentences[degradation.reason])
    tell()
  }
  const end = (reason: DegradedReason): void => {
    if (!degradations.delete(reason)) return
    log.info({ reason }, 'This is over')
    tell()
  }
  const readAgain = (): void => {
    const written = mark === undefined ? undefined : readMark(mark)
    if (!written) end('database_damaged')
    else if (!degradations.has('database_damaged')) begin(written)
  }

  if (mark !== undefined) {
    const written = readMark(mark)
    if (written) begin(written)
    // Another process of this installation may find the damage first, or may find that it is over.
    watchFile(mark, { interval: checkEveryMs, persistent: false }, readAgain)
  }

  return {
    list: () => [...degradations.values()],
    has: (reason) => degradations.has(reason),
    report: (news) => {
      if (degradations.has(news.reason)) return false
      const degradation = { id: newId(), ...news, since: new Date().toISOString() }
      if (mark !== undefined && news.reason === 'database_damaged') writeMark(mark, degradation, log)
      begin(degradation)
      return true
    },
    end: (reason) => {
      if (mark !== undefined && reason === 'database_damaged') rmSync(mark, { force: true })
      end(reason)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      if (mark !== undefined) unwatchFile(mark, readAgain)
    },
  }
}

const sentences: Readonly<Record<DegradedReason, string>> = {
  database_damaged: 'The database is damaged: nothing is changed in it any more, what can still be read is read',
  disk_full: 'The disk is full: reading goes on, changes may be refused',
}

const writeMark = (mark: string, degradation: Degradation, log: Log): void => {
  try {
    writeFileSync(mark, `${JSON.stringify(degradation)}\n`, { mode: 0o600 })
  } catch (err) {
    log.warn({ err, mark }, 'That the database is damaged could not be written down: a restart will not know of it')
  }
}

const readMark = (mark: string): Degradation | undefined => {
  let text: string
  try {
    text = readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
  const usual = { id: newId(), path: mark, detail: 'It was marked as damaged.', since: new Date().toISOString() }
  try {
    const { id, path, detail, since } = JSON.parse(text) as Partial<Degradation>
    return {
      reason: 'database_damaged',
      id: id ?? usual.id,
      path: path ?? usual.path,
      detail: detail ?? usual.detail,
      since: since ?? usual.since,
    }
  } catch {
    // The mark is cut off, or written by hand: its existence is what counts.
    return { ...usual, reason: 'database_damaged' }
  }
}
