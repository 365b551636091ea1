import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Database } from '../database/database.ts'
import { selectNames } from '../features/libraries/libraries.ts'
import { isWholeScan, readProgress, type ScanRow } from '../features/scan/progress/progress.ts'
import { type ScanOptions, startScan } from '../features/scan/scan.ts'
import { analyseLibrary, scanLibrary } from '../features/scan/tasks.ts'
import { makeCovers } from '../features/covers/tasks.ts'
import { startWork } from '../work.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { configFromEnvironment } from '../config.ts'
import { clock, contextOf, type Installation, openInstallation, quietLog, stopSignal } from './installation.ts'
import { type ProgressLine, progressLine } from './progress-line.ts'

const pollMs = 200
/** A worker takes up what it can at once, and gives a sign every five seconds while it works. */
const silenceMaxMs = 20_000

export const scanCommand: Command = {
  help: `Usage: carrel scan [LIBRARY…] [--full] [--wait] [--here]

Has libraries looked at for what has changed: the named ones (by name or id), else all. A worker does it, that of a running
carrel serve or a carrel worker; this command only asks for it, and may be called while the server runs.

  --full  read every book again, not only what has changed
  --wait  stay until it is done and all that was found has been read, and show how far it is
  --here  do it in this process, where no worker runs; waits as well

Exit code 0: done, or asked for. 1: a scan failed or was cancelled. 4: not all could be looked at, or removals wait for
somebody's word. 5: no worker is there to do it; the scan stays asked for.`,
  run: async (args) => {
    const flag = { type: 'boolean', default: false } as const
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { full: flag, wait: flag, here: flag },
    })
    const config = configFromEnvironment()
    const installation = await openInstallation(config, quietLog(config))
    const { database } = installation
    try {
      const libraries = chosen(await selectNames(database.read), positionals)
      const mode = values.full ? 'full' : 'changes'
      if (!values.wait && !values.here) return await ask(database, libraries, mode)
      const stopping = new AbortController()
      const options = { libraries, mode, signal: stopping.signal } as const
      return await (values.here ? workingHere(installation, options, stopping) : follow(database, options))
    } finally {
      await database.close()
    }
  },
}

interface Named {
  readonly id: string
  readonly name: string
}

type Mode = NonNullable<ScanOptions['mode']>

interface ScanRequest {
  readonly libraries: readonly Named[]
  readonly mode: Mode
  readonly signal: AbortSignal
}

const chosen = (all: readonly Named[], words: readonly string[]): readonly Named[] => {
  if (words.length === 0) return [...all].sort((one, other) => (one.name < other.name ? -1 : 1))
  const libraries = words.map((word) => {
    const [library, another] = all.filter(({ id, name }) => id === word || name.toLowerCase() === word.toLowerCase())
    if (!library) throw new UsageError(`There is no library "${word}".`)
    if (another) throw new UsageError(`Several libraries are called "${word}": name the id, ${library.id} or another.`)
    return library
  })
  return [...new Set(libraries)]
}

const ask = async (database: Database, libraries: readonly Named[], mode: Mode): Promise<number> => {
  for (const { id, name } of libraries) {
    const { alreadyRunning } = await database.write((db) => startScan(db, { libraryId: id, mode }, clock()))
    say(alreadyRunning ? `${name}: a scan is on its way already.` : `${name}: a scan is asked for.`)
  }
  return exitCodes.done
}

/** All scans are requested at once, and followed one after the other. */
const follow = async (database: Database, { libraries, mode, signal }: ScanRequest): Promise<number> => {
  const line = progressLine(process.stderr)
  const started = new Map<Named, string | undefined>()
  for (const library of libraries) started.set(library, await startOwn(database, library, mode))
  let code: number = exitCodes.done
  for (const [library, scanId] of started) {
    const end = await followOne(database, { library, mode, signal, scanId, line })
    line.clear()
    if (end === 'no worker') {
      complain(
        `${library.name}: no worker gives a sign. Start carrel serve or carrel worker, which will do it, or use --here.`,
      )
      return exitCodes.noWorker
    }
    code = worse(code, tellEnd(library, end))
  }
  return code
}

const worse = (one: number, other: number): number =>
  one === exitCodes.failed || other === exitCodes.failed ? exitCodes.failed : Math.max(one, other)

/** Undefined while a scan runs that looks at less. */
const startOwn = async (database: Database, { id }: Named, mode: Mode): Promise<string | undefined> => {
  const { scanId, alreadyRunning } = await database.write((db) => startScan(db, { libraryId: id, mode }, clock()))
  return !alreadyRunning || (await isWholeScan(database, scanId, mode)) ? scanId : undefined
}

interface Following extends Omit<ScanRequest, 'libraries'> {
  readonly library: Named
  /** Undefined: it could not be asked for yet. */
  readonly scanId: string | undefined
  readonly line: ProgressLine
}

const followOne = async (database: Database, following: Following): Promise<ScanRow | undefined | 'no worker'> => {
  const { library, mode, line, signal } = following
  let { scanId } = following
  let sign = ''
  let signAt = performance.now()
  for (;;) {
    scanId ??= await startOwn(database, library, mode)
    const { scan, step, signOfWork } = await readProgress(database, library.id, scanId ?? '')
    if (scanId !== undefined && step === undefined) return scan
    const { name, done, total } = scanId === undefined || step === undefined ? waiting : step
    line.show({ label: library.name, step: name, done, total })
    if (signOfWork !== sign) signAt = performance.now()
    sign = signOfWork
    if (performance.now() - signAt > silenceMaxMs) return 'no worker'
    await delay(pollMs, undefined, { signal })
  }
}

const waiting = { name: 'waiting', done: 0, total: undefined } as const

const tellEnd = ({ name }: Named, scan: ScanRow | undefined): number => {
  if (!scan || ['failed', 'cancelled', 'pending', 'processing'].includes(scan.status)) {
    const [error] = JSON.parse(scan?.errors ?? '[]') as { message: string }[]
    const why = scan?.status === 'cancelled' ? 'the scan was cancelled' : (error?.message ?? 'it is gone')
    complain(`${name}: ${why}`)
    return exitCodes.failed
  }
  const counts = [
    `${scan.files_total} files`,
    `${scan.books_added} new`,
    `${scan.books_updated} changed`,
    `${scan.books_moved} moved`,
    `${scan.books_restored} back`,
    `${scan.books_missing} missing`,
  ]
  say(`${name}: ${counts.join(', ')}.`)
  for (const { path, message } of JSON.parse(scan.errors) as { path: string; message: string }[])
    complain(`${name}: ${path}: ${message}`)
  if (scan.status === 'held') complain(`${name}: books that seem to be gone are held until somebody says so.`)
  return scan.status === 'completed' ? exitCodes.done : exitCodes.incomplete
}

/** A worker in this process, for scans and what follows them alone. Told to stop it hands back what it has not done. */
const workingHere = async (
  installation: Installation,
  options: ScanRequest,
  stopping: AbortController,
): Promise<number> => {
  const context = await contextOf(installation)
  const work = startWork(context, {
    definitions: [scanLibrary, analyseLibrary, makeCovers],
    onStuck: () => stopping.abort(),
  })
  void stopSignal().then(() => stopping.abort())
  try {
    return await follow(installation.database, options)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    complain('Stopped before the end: a worker will go on with it.')
    return exitCodes.failed
  } finally {
    await work.stop()
    await context.decoders.close()
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const complain = (text: string): void => void process.stderr.write(`${text}\n`)
