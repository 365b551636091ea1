import { setTimeout as delay } from 'node:timers/promises'
import { type ImportDto, importKinds, importParts, type NewImport } from '@carrel/api'
import type { Context } from '../context.ts'
import { applyImport, readImport, startImport, undoImport } from '../features/imports/imports.ts'
import { importFromServer } from '../features/imports/tasks.ts'
import { selectNames } from '../features/libraries/libraries.ts'
import { firstAdmin, selectUserByName } from '../features/users/users.ts'
import { startWork } from '../work.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { askSecret } from './ask-secret.ts'
import { configFromEnvironment } from '../config.ts'
import { choiceOf, type ImportCall, importCallOf, librariesFrom, requireTheirs } from './import-options.ts'
import { complain, say, tellReport, tellTaken } from './import-report.ts'
import { contextOf, openInstallation, quietLog, stopSignal } from './installation.ts'
import { progressLine } from './progress-line.ts'

const pollMs = 200
/** A worker takes up what it can at once; one that is busy with something long is not waited for. */
const silenceMaxMs = 60_000

export const importFromCommand: Command = {
  help: `Usage: carrel import-from KIND SOURCE [--key] [--library THEIRS=OURS]… [--without PART]… [--private-lists] [--as USER] [--apply] [--here]
       carrel import-from --undo ID [--here]

Reads what another server holds and shows what of it is here; nothing is changed until --apply is given. A worker does it, that
of a running carrel serve or a carrel worker; this command only asks for it, and shows how far it is.

  KIND       ${importKinds.join(', ')}
  SOURCE     its database, or the folder it lies in; or the address at which it runs: https://… of a Komga or LANraragi,
             postgres://user@host/name of a Codex. Hosts of your own network are named in the setting imports.allowed_hosts
  --key      ask for its API key, or for the password of the database: at a terminal, and otherwise from standard input
  --library  which of their libraries is which of ours, by name; proposed from paths and names otherwise
  --without  leave this out: ${importParts.join(', ')}
  --private-lists
             make lists too that nobody but their owner sees there: here everybody sees them
  --as       what belongs to nobody there becomes this user's; the first administrator's otherwise
  --apply    take over what was found
  --undo     take back what an import has brought, but for what people have done with it since
  --here     do it in this process, where no worker runs

Exit code 0: done. 1: the store cannot be read, or taking it over has failed. 2: the call is wrong. 5: no worker is there to do it.`,
  run: async (args) => {
    const call = importCallOf(args)
    const config = configFromEnvironment()
    const installation = await openInstallation(config, quietLog(config))
    const context = await contextOf(installation)
    const stopping = new AbortController()
    const work = call.isHere
      ? startWork(context, {
          definitions: [importFromServer],
          onStuck: () => stopping.abort(),
        })
      : undefined
    if (work) void stopSignal().then(() => stopping.abort())
    try {
      return call.read === undefined
        ? await undo(context, call.undo ?? '', stopping.signal)
        : await readAndApply(context, call, call.read, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) throw error
      complain('Stopped before the end: a worker will go on with the step that has begun.')
      return exitCodes.failed
    } finally {
      await work?.stop()
      await context.decoders.close()
      await installation.database.close()
    }
  },
}

const readAndApply = async (
  context: Context,
  call: ImportCall,
  { kind, source, isAddress }: NonNullable<ImportCall['read']>,
  signal: AbortSignal,
): Promise<number> => {
  const libraries = librariesFrom(call.libraries, await selectNames(context.db.read))
  const by = await whoAsks(context, call.as)
  const apiKey = call.asksForKey ? await askSecret('Key: ') : undefined
  const body: NewImport = {
    kind,
    source: isAddress ? { url: source, ...(apiKey !== undefined && { apiKey }) } : { path: source },
    libraries,
  }
  const read = await ended(context, await startImport(context, by.id, body), 'reading', signal)
  if (read === undefined) return noWorker()
  if (read.state === 'ready') requireTheirs(libraries, read.libraries)
  tellReport(read, call, by.username)
  if (read.state !== 'ready' || !call.applies) return read.state === 'ready' ? exitCodes.done : exitCodes.failed
  const applied = await ended(context, await applyImport(context, read.id, choiceOf(call)), 'applying', signal)
  if (applied === undefined) return noWorker()
  if (applied.state !== 'applied') {
    complain(applied.fault?.message ?? `It is ${applied.state}.`)
    return exitCodes.failed
  }
  tellTaken(applied)
  return exitCodes.done
}

const undo = async (context: Context, id: string, signal: AbortSignal): Promise<number> => {
  const undone = await ended(context, await undoImport(context, id), 'undoing', signal)
  if (undone === undefined) return noWorker()
  if (undone.state === 'undone') say('It is taken back.')
  else complain(undone.fault?.message ?? 'It could not be taken back.')
  return undone.state === 'undone' ? exitCodes.done : exitCodes.failed
}

const whoAsks = async (
  { db }: Context,
  name: string | undefined,
): Promise<{ readonly id: string; readonly username: string }> => {
  const user = name === undefined ? await firstAdmin(db.read) : await selectUserByName(db.read, name)
  if (!user) throw new UsageError(name === undefined ? 'There is no administrator yet.' : `There is no user "${name}".`)
  return user
}

/** Undefined: no worker gives a sign. */
const ended = async (
  { db }: Context,
  { importId }: { readonly importId: string },
  state: ImportDto['state'],
  signal: AbortSignal,
): Promise<ImportDto | undefined> => {
  const line = progressLine(process.stderr)
  let sign = ''
  let signAt = performance.now()
  try {
    for (;;) {
      const report = await readImport(db.read, importId)
      if (report.state !== state) return report
      const { progress } = report
      const { current = 0, total = 0, message } = progress ?? {}
      line.show({
        label: report.kind,
        step: message ?? 'waiting',
        done: current,
        total: total === 0 ? undefined : total,
      })
      if (JSON.stringify(progress) !== sign) signAt = performance.now()
      sign = JSON.stringify(progress)
      if (progress === null && performance.now() - signAt > silenceMaxMs) return undefined
      await delay(pollMs, undefined, { signal })
    }
  } finally {
    line.clear()
  }
}

const noWorker = (): number => {
  complain('No worker gives a sign. Start carrel serve or carrel worker, which will do it, or use --here.')
  return exitCodes.noWorker
}
