import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ImportDto, importKinds, type ImportPart, importParts, type NewImport } from '@carrel/api'
import type { Context } from '../context.ts'
import { applyImport, readImport, startImport, undoImport } from '../features/imports/imports.ts'
import { importFromServer } from '../features/imports/tasks.ts'
import { selectNames } from '../features/libraries/libraries.ts'
import { firstAdmin, selectUserByName } from '../features/users/users.ts'
import { startWork } from '../work.ts'
import { type Command, exitCodes, UsageError } from './command.ts'
import { askSecret } from './ask-secret.ts'
import { configFromEnvironment } from '../config.ts'
import { contextOf, openInstallation, quietLog, stopSignal } from './installation.ts'
import { progressLine } from './progress-line.ts'

const pollMs = 200
/** A worker takes up what it can at once; one that is busy with something long is not waited for. */
const silenceMaxMs = 60_000

export const importFromCommand: Command = {
  help: `Usage: carrel import-from KIND SOURCE [--key] [--library THEIRS=OURS]… [--without PART]… [--as USER] [--apply] [--here]
       carrel import-from --undo ID [--here]

Reads what another server holds and shows what of it is here; nothing is changed until --apply is given. A worker does it, that
of a running carrel serve or a carrel worker; this command only asks for it, and shows how far it is.

  KIND       ${importKinds.join(', ')}
  SOURCE     its database, or the folder it lies in; or the address at which it runs: https://… of a Komga or LANraragi,
             postgres://user@host/name of a Codex. Hosts of your own network are named in the setting imports.allowed_hosts
  --key      ask for its API key, or for the password of the database: at a terminal, and otherwise from standard input
  --library  which of their libraries is which of ours, by name; proposed from paths and names otherwise
  --without  leave this out: ${importParts.join(', ')}
  --as       what belongs to nobody there becomes this user's; the first administrator's otherwise
  --apply    take over what was found
  --undo     take back what an import has brought, but for what people have done with it since
  --here     do it in this process, where no worker runs

Exit code 0: done. 1: the store cannot be read, or taking it over has failed. 5: no worker is there to do it.`,
  run: async (args) => {
    const flag = { type: 'boolean', default: false } as const
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        library: { type: 'string', multiple: true, default: [] },
        without: { type: 'string', multiple: true, default: [] },
        as: { type: 'string' },
        undo: { type: 'string' },
        key: flag,
        apply: flag,
        here: flag,
      },
    })
    const config = configFromEnvironment()
    const installation = await openInstallation(config, quietLog(config))
    const context = await contextOf(installation)
    const stopping = new AbortController()
    const work = values.here
      ? startWork(context, {
          definitions: [importFromServer],
          onStuck: () => stopping.abort(),
        })
      : undefined
    if (work) void stopSignal().then(() => stopping.abort())
    try {
      if (values.undo !== undefined) return await undo(context, values.undo, stopping.signal)
      const apiKey = values.key ? await askSecret('Key: ') : undefined
      const body = await bodyFrom(context, positionals, { libraries: values.library, apiKey })
      const byUserId = await whoAsks(context, values.as)
      const read = await ended(context, await startImport(context, byUserId, body), 'reading', stopping.signal)
      if (read === undefined) return noWorker()
      tellReport(read)
      if (read.state !== 'ready' || !values.apply) return read.state === 'ready' ? exitCodes.done : exitCodes.failed
      const choose = Object.fromEntries(values.without.map((part) => [partFrom(part), false]))
      const applied = await ended(context, await applyImport(context, read.id, choose), 'applying', stopping.signal)
      if (applied === undefined) return noWorker()
      return tellApplied(applied)
    } finally {
      await work?.stop()
      await context.decoders.close()
      await installation.database.close()
    }
  },
}

const undo = async (context: Context, id: string, signal: AbortSignal): Promise<number> => {
  const undone = await ended(context, await undoImport(context, id), 'undoing', signal)
  if (undone === undefined) return noWorker()
  if (undone.state === 'undone') say('It is taken back.')
  else complain(undone.fault?.message ?? 'It could not be taken back.')
  return undone.state === 'undone' ? exitCodes.done : exitCodes.failed
}

const bodyFrom = async (
  { db }: Context,
  [kind, source, ...more]: readonly string[],
  { libraries, apiKey }: { readonly libraries: readonly string[]; readonly apiKey: string | undefined },
): Promise<NewImport> => {
  const importKind = importKinds.find((each) => each === kind)
  if (!importKind || source === undefined || more.length > 0)
    throw new UsageError('Name a kind of server, and a path or an address.')
  const isAddress = /^[a-z]+:\/\//i.test(source)
  const names = await selectNames(db.read)
  return {
    kind: importKind,
    source: isAddress ? { url: source, ...(apiKey !== undefined && { apiKey }) } : { path: resolve(source) },
    libraries: libraries.map((text) => {
      const [theirs = '', ours = ''] = text.split('=')
      const library = names.find(({ id, name }) => id === ours || name.toLowerCase() === ours.toLowerCase())
      if (!library) throw new UsageError(`There is no library "${ours}".`)
      return { theirs, ours: library.id }
    }),
  }
}

const partFrom = (text: string): ImportPart => {
  const part = importParts.find((each) => each === text)
  if (!part) throw new UsageError(`There is no part "${text}".`)
  return part
}

const whoAsks = async ({ db }: Context, name: string | undefined): Promise<string> => {
  const user = name === undefined ? await firstAdmin(db.read) : await selectUserByName(db.read, name)
  if (!user) throw new UsageError(name === undefined ? 'There is no administrator yet.' : `There is no user "${name}".`)
  return user.id
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

const tellReport = (report: ImportDto): void => {
  if (report.fault) return complain(report.fault.message)
  const { found, matched, unmatchedCount, libraries, users, unmatched, wouldCreate, conflicts, passedOver } = report
  say(`Import ${report.id}`)
  say(`Found: ${listed(found)}.`)
  for (const { name, ours, books, by } of libraries)
    say(`Library ${name} (${books} books): ${ours === null ? 'none of ours' : `ours, by ${by}`}.`)
  for (const { name, ours, by } of users) say(`User ${name}: ${ours === null ? 'is made' : `is here, by ${by}`}.`)
  say(
    `Books: ${matched.byHash} by hash, ${matched.byPath} by path, ${matched.byName} by name; ${unmatchedCount} are not here.`,
  )
  for (const { series, number, title, reason, readers } of unmatched.slice(0, shownMax))
    say(
      `  not here (${reason}, ${readers} readers): ${[series, number, title].filter((part) => part !== null).join(' · ')}`,
    )
  say(`Would be made: ${listed(wouldCreate)}.`)
  for (const { kind, what, count } of conflicts.slice(0, shownMax)) say(`  ${kind}: ${what} (${count})`)
  for (const { what, reason, count } of passedOver)
    say(`  left out (${reason}): ${count === null ? '' : `${count} `}${what}`)
}

const shownMax = 20

const tellApplied = ({ id, state, taken, fault }: ImportDto): number => {
  if (state !== 'applied') {
    complain(fault?.message ?? `It is ${state}.`)
    return exitCodes.failed
  }
  say(`Taken over: ${listed(taken)}.`)
  say(`To take it back: carrel import-from --undo ${id}`)
  return exitCodes.done
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const complain = (text: string): void => void process.stderr.write(`${text}\n`)
