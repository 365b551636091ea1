import {
  type ReaderLevel,
  readerLevels,
  type ReaderSettings,
  type ReaderSettingsChange,
  type ReaderSettingsLevel,
  readerSettingsMax,
} from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import { full, notFound } from '../../platform/errors.ts'
import { requireLibrary, requireSeries } from '../../catalogue/entries/entries.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { countSettings, deleteSettings, selectSettings, type Subject, upsertSettings } from './queries.ts'

export { deleteReaderSettingsOf } from './queries.ts'
export { readerSettingRule } from './merge-rules.ts'

export interface SettingsScope {
  readonly deviceId?: string | undefined
  readonly libraryId?: string | undefined
  readonly seriesId?: string | undefined
}

export interface EffectiveReaderSettings {
  readonly effective: ReaderSettings
  readonly levels: ReaderSettingsLevel[]
}

export const readReaderSettings = async (
  db: ReadDb,
  viewer: Viewer,
  scope: SettingsScope,
): Promise<EffectiveReaderSettings> => {
  const subjects = await subjectsOf(db, viewer, scope)
  const rows = await selectSettings(db, viewer.userId, subjects)
  const levels = subjects.map((subject) => ({
    ...subject,
    values: rows.find(({ level }) => level === subject.level)?.values ?? {},
  }))
  return { effective: Object.assign({}, ...levels.map(({ values }) => values)) as ReaderSettings, levels }
}

/** The subjects stand in the order of precedence: the last wins. */
const subjectsOf = async (
  db: ReadDb,
  viewer: Viewer,
  { deviceId, libraryId, seriesId }: SettingsScope,
): Promise<Subject[]> => {
  const series = seriesId === undefined ? undefined : await requireSeries(db, viewer, seriesId)
  const library = libraryId === undefined ? undefined : await requireLibrary(db, viewer, libraryId)
  const ids: Readonly<Record<ReaderLevel, string | undefined>> = {
    user: viewer.userId,
    device: deviceId,
    library: library?.id ?? series?.library_id,
    series: series?.id,
  }
  return readerLevels.flatMap((level) => {
    const id = ids[level]
    return id === undefined ? [] : [{ level, id }]
  })
}

interface SettingsToSave {
  readonly viewer: Viewer
  readonly subject: Subject
  readonly change: ReaderSettingsChange
  readonly at: string
}

export const savedReaderSettings: NamedWrite<SettingsToSave, ReaderSettingsLevel> = {
  name: 'reader settings',
  work: async (db, { viewer, subject, change, at }) => {
    const { userId } = viewer
    const checkedSubject = await requireSubject(db, viewer, subject)
    await lockUser(db, userId)
    const [before] = await selectSettings(db, userId, [checkedSubject])
    const values = changed(before?.values ?? {}, change)
    if (Object.keys(values).length === 0) await deleteSettings(db, userId, checkedSubject)
    else await upsertSettings(db, userId, { ...checkedSubject, values }, at)
    if (!before && (await countSettings(db, userId)) > readerSettingsMax)
      throw full(readerSettingsMax, `You read ${readerSettingsMax} things in ways of their own. Reset some first.`)
    return { ...checkedSubject, values }
  },
}

export const saveReaderSettings = (
  db: Database,
  viewer: Viewer,
  subject: Subject,
  { change, now }: { readonly change: ReaderSettingsChange; readonly now: Date },
): Promise<ReaderSettingsLevel> =>
  db.writeNamed(savedReaderSettings, { viewer, subject, change, at: now.toISOString() })

/** The id is returned as it is stored, because callers write ids in either case. */
const requireSubject = async (db: ReadDb, viewer: Viewer, { level, id }: Subject): Promise<Subject> => {
  if (level === 'series') return { level, id: (await requireSeries(db, viewer, id)).id }
  if (level === 'library') return { level, id: (await requireLibrary(db, viewer, id)).id }
  if (level === 'user' && id.toLowerCase() !== viewer.userId) throw notFound('user')
  return { level, id: level === 'user' ? viewer.userId : id }
}

const changed = (before: ReaderSettings, change: ReaderSettingsChange): ReaderSettings =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))
