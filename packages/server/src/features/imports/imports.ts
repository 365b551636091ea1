import { isAbsolute } from 'node:path'
import type { ImportChoice, ImportDto, ListAnswer, NewImport } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { OutboundProblem } from '../../platform/outbound.ts'
import type { Paging } from '../../platform/paging.ts'
import { enqueue } from '../../tasks/queue.ts'
import { checkRoots } from '../libraries/libraries.ts'
import { selectOurLibraries } from './matching/queries.ts'
import {
  countEffects,
  countRuns,
  deleteRun,
  hasParts,
  insertRun,
  lockRun,
  type RunRow,
  selectBusyRun,
  selectKeyFor,
  selectOldRuns,
  selectRuns,
  selectShownRun,
  selectUpload,
  type ShownRun,
  updateRun,
} from './queries.ts'
import { encryptKey, type Source } from './open-source.ts'
import { emptyReport, type Report } from './report.ts'
import { readableAddress, type ReadableAddress, withHint } from './sources/addresses.ts'
import { importFromServer } from './tasks.ts'
import { isWhole } from './uploads.ts'

export { withoutParts } from './apply/foresee.ts'
export { continueUpload, readUpload, removeUpload, startUpload } from './uploads.ts'

type ImportContext = Pick<Context, 'db' | 'config' | 'clock' | 'runLimited' | 'settings' | 'secret'>

interface Started {
  readonly importId: string
  readonly taskId: string
}

/** Reports that nothing can be done with any more. */
const runsKept = 20

export const startImport = async (
  context: ImportContext,
  byUserId: string,
  { kind, source, libraries = [] }: NewImport,
): Promise<Started> => {
  const { db, clock } = context
  const { path = null, uploadId = null } = source
  await requireSource(context, source)
  const { url, secret } = await addressOf(context, kind, source)
  await requireLibraries(context, libraries)
  const now = clock()
  return db.write(async (db) => {
    await releaseStalled(db)
    for (const old of await selectOldRuns(db, runsKept)) await deleteRun(db, old)
    const id = newId(now.getTime())
    const { taskId } = await enqueue(db, importFromServer, { importId: id, act: 'read' }, { now })
    const isFirst = await insertRun(db, {
      ...freshRun,
      id,
      kind,
      by_user_id: byUserId,
      source: JSON.stringify({ path, uploadId, url } satisfies Source),
      secret,
      libraries: JSON.stringify(libraries),
      task_id: taskId,
      created_at: now.toISOString(),
    })
    if (!isFirst) throw busy()
    return { importId: id, taskId }
  })
}

const requireSource = async (
  { db, config }: ImportContext,
  { path, uploadId, url }: NewImport['source'],
): Promise<void> => {
  if ([path, uploadId, url].filter((each) => each !== undefined).length !== 1)
    throw invalid('/source', 'Give exactly one of path, uploadId and url.', { reason: 'form_wrong' })
  if (path !== undefined && !isAbsolute(path))
    throw invalid('/source/path', `"${path}" is not an absolute path: it must begin with a slash.`, {
      reason: 'path_not_absolute',
      values: { path },
    })
  if (uploadId === undefined) return
  const upload = await selectUpload(db.read, uploadId)
  if (!upload) throw notFound('upload')
  if (!(await isWhole(config, upload)))
    throw new AppError('conflict', 'This upload has not come to its end yet.', { reason: 'form_wrong' })
}

/** Without a key the one is taken that was given for this address before: it goes where it went then. */
const addressOf = async (
  context: ImportContext,
  kind: NewImport['kind'],
  { url: text, apiKey }: NewImport['source'],
): Promise<{ readonly url: string | null; readonly secret: string | null }> => {
  if (text === undefined) return { url: null, secret: null }
  const { url, password } = requireAddress(kind, text, context.settings.get('imports.allowed_hosts'))
  const key = apiKey ?? password
  const source: Source = { path: null, uploadId: null, url }
  const secret =
    key === null ? await selectKeyFor(context.db.read, kind, JSON.stringify(source)) : encryptKey(context, key)
  return { url, secret }
}

const requireAddress = (kind: NewImport['kind'], text: string, allowedHosts: readonly string[]): ReadableAddress => {
  try {
    const address = readableAddress(kind, text, allowedHosts)
    if (address) return address
  } catch (error) {
    if (error instanceof OutboundProblem)
      throw invalid('/source/url', withHint(error.message), { reason: 'address_refused' })
    throw error
  }
  throw invalid('/source/url', 'A server of this kind cannot be asked by its address: give a copy of its database.', {
    reason: 'value_unknown',
  })
}

/** Whoever asks hears of a folder that cannot be read at once, not when everything else has been. */
const requireLibraries = async (
  { db, config, runLimited }: ImportContext,
  libraries: NonNullable<NewImport['libraries']>,
): Promise<void> => {
  const libraryIds = new Set((await selectOurLibraries(db.read)).map(({ id }) => id))
  for (const [index, { ours, path }] of libraries.entries()) {
    if (ours != null && path !== undefined)
      throw invalid(`/libraries/${index}`, 'Give either ours or path.', { reason: 'form_wrong' })
    if (ours != null && !libraryIds.has(ours))
      throw invalid(`/libraries/${index}/ours`, `There is no library ${ours}.`, { reason: 'gone_by_now' })
    if (path !== undefined) await checkRoots({ config, runLimited }, [path], () => `/libraries/${index}/path`)
  }
}

const freshRun = {
  state: 'reading',
  busy: 1,
  version: null,
  fault_code: null,
  fault_message: null,
  choose: null,
  report: JSON.stringify(emptyReport),
  cursor: null,
  taken: '{}',
  ready_at: null,
  applied_at: null,
  undone_at: null,
} as const

const busy = (): AppError =>
  new AppError('conflict', 'Another import is under way. Wait until that is done.', { reason: 'running_already' })

const hasStalled = ({ busy: isBusy, task_status }: ShownRun): boolean =>
  isBusy === 1 && task_status !== 'pending' && task_status !== 'processing'

/** A task that has failed for good, or that somebody has cancelled, holds nobody up. */
const releaseStalled = async (db: WriteDb): Promise<void> => {
  const run = await selectBusyRun(db)
  if (run && hasStalled(run)) await updateRun(db, run.id, { ...faultOf(run), state: 'failed', busy: null })
}

const faultOf = ({ task_status, fault_code, fault_message }: ShownRun) =>
  fault_code !== null
    ? { fault_code, fault_message }
    : task_status === 'cancelled'
      ? { fault_code: 'cancelled', fault_message: 'It was cancelled.' }
      : { fault_code: 'failed', fault_message: 'It failed: its task says why.' }

export const applyImport = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
  choose: ImportChoice = {},
): Promise<Started> => {
  const now = clock()
  return db.write(async (db) => {
    await releaseStalled(db)
    const run = await requireRun(db, id)
    requireState(run, run.ready_at !== null && ['ready', 'undone', 'failed'].includes(run.state))
    if (!(await hasParts(db, id)))
      throw new AppError('conflict', 'What was read is no longer kept: read it again.', { reason: 'not_running' })
    // What was begun with another choice goes on with it.
    const chosen = run.cursor === null ? JSON.stringify(choose) : run.choose
    return goOn(db, run, { act: 'apply', changes: { state: 'applying', choose: chosen }, now })
  })
}

export const undoImport = ({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<Started> => {
  const now = clock()
  return db.write(async (db) => {
    await releaseStalled(db)
    const run = await requireRun(db, id)
    requireState(run, run.state === 'applied' || (run.state === 'failed' && (await countEffects(db, id)) > 0))
    return goOn(db, run, { act: 'undo', changes: { state: 'undoing' }, now })
  })
}

const requireRun = async (db: WriteDb, id: string): Promise<RunRow> => {
  const run = await lockRun(db, id)
  if (!run) throw notFound('import')
  return run
}

const requireState = ({ state }: RunRow, isRight: boolean): void => {
  if (!isRight) throw new AppError('conflict', `This import is ${state}.`, { reason: 'not_running' })
}

const goOn = async (
  db: WriteDb,
  { id }: RunRow,
  {
    act,
    changes,
    now,
  }: {
    readonly act: 'apply' | 'undo'
    readonly changes: { readonly state: RunRow['state']; readonly choose?: string | null }
    readonly now: Date
  },
): Promise<Started> => {
  if (await selectBusyRun(db)) throw busy()
  const { taskId } = await enqueue(db, importFromServer, { importId: id, act }, { now })
  await updateRun(db, id, { ...changes, busy: 1, task_id: taskId, fault_code: null, fault_message: null })
  return { importId: id, taskId }
}

export const removeImport = ({ db }: Pick<Context, 'db'>, id: string): Promise<undefined> =>
  db.write(async (db) => {
    await releaseStalled(db)
    const run = await requireRun(db, id)
    if (run.busy !== null) throw busy()
    await deleteRun(db, id)
    return undefined
  })

export const listImports = async (db: ReadDb, paging: Paging): Promise<ListAnswer<ImportDto>> => {
  const total = await countRuns(db)
  return { total, data: paging.offset < total ? (await selectRuns(db, paging)).map(toImport) : [] }
}

export const readImport = async (db: ReadDb, id: string): Promise<ImportDto> => {
  const run = await selectShownRun(db, id)
  if (!run) throw notFound('import')
  return toImport(run)
}

const toImport = (run: ShownRun): ImportDto => {
  const isStalled = hasStalled(run)
  const { fault_code, fault_message } = isStalled ? faultOf(run) : run
  return {
    id: run.id,
    kind: run.kind,
    state: isStalled ? 'failed' : run.state,
    taskId: run.task_id,
    source: JSON.parse(run.source) as ImportDto['source'],
    version: run.version,
    fault:
      fault_code === null
        ? null
        : { code: fault_code as NonNullable<ImportDto['fault']>['code'], message: fault_message ?? '' },
    progress:
      run.busy === 1 && run.task_progress !== null ? (JSON.parse(run.task_progress) as ImportDto['progress']) : null,
    choose: run.choose === null ? null : (JSON.parse(run.choose) as ImportChoice),
    // One that was kept before there were private lists does not say how many there are.
    ...emptyReport,
    ...(JSON.parse(run.report) as Report),
    taken: JSON.parse(run.taken) as ImportDto['taken'],
    createdAt: run.created_at,
    readyAt: run.ready_at,
    appliedAt: run.applied_at,
    undoneAt: run.undone_at,
  }
}
