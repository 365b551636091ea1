import type { BookFields, MetadataLayer, SeriesFields } from '../../../formats/book-format.ts'
import { newId } from '../../../platform/ids.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { requestCovers } from '../../covers/covers.ts'
import { forgetLayers, saveLayers } from '../../../catalogue/metadata/metadata.ts'
import { announceRefreshed, refresh } from '../../../catalogue/shown/shown.ts'
import type { Reader } from './analyse-files.ts'
import type { ScannedLibrary } from '../library.ts'
import type { SidecarChanges } from './sidecar-changes.ts'
import { deleteSidecars, selectBooksBeside, selectSeriesAt, upsertSidecars } from '../queries.ts'
import { kindOfSidecar, withoutExtension } from '../walker/kinds.ts'
import type { WalkedFile } from '../walker/messages.ts'

interface SidecarOptions {
  readonly library: ScannedLibrary
  readonly changes: readonly SidecarChanges[]
  readonly context: TaskContext
  readonly reader: Reader
}

interface Sidecar {
  readonly folder: string
  readonly name: string
  /** Undefined when it is gone. */
  readonly layer: MetadataLayer | undefined
}

const batch = 100
const sourceOf = { opf: 'sidecar:opf', 'series.json': 'sidecar:series.json', comicinfo: 'sidecar:comicinfo' } as const

/** Reads what lies beside books, and takes back what is gone. */
export const applySidecars = async ({ library, changes, context, reader }: SidecarOptions): Promise<void> => {
  for (const { rootId, added, changed, vanished } of changes) {
    const rootPath = library.roots.find(({ id }) => id === rootId)?.path ?? ''
    const present = [
      ...added.map((walked) => ({ id: undefined, walked })),
      ...changed.map(([id, ...walked]) => ({ id, walked })),
    ]
    for (let from = 0; from < present.length; from += batch) {
      const part = present.slice(from, from + batch)
      const paths = part.map(({ walked: [folder, name] }) => `${rootPath}/${folder}${name}`)
      const { layers } = await reader.decoders.run('sidecars', { paths }, { signal: context.signal })
      const sidecars = part.map(({ walked: [folder, name] }, index) => ({
        folder,
        name,
        layer: layers[index] ?? undefined,
      }))
      await applyOne({ library, rootId, sidecars, context }, part)
    }
    for (let from = 0; from < vanished.length; from += batch) {
      const part = vanished.slice(from, from + batch)
      const sidecars = part.map(([, folder, name]) => ({ folder, name, layer: undefined }))
      await applyOne({ library, rootId, sidecars, context }, [])
      await context.write((db) =>
        deleteSidecars(
          db,
          part.map(([id]) => id),
        ),
      )
    }
  }
}

interface Application {
  readonly library: ScannedLibrary
  readonly rootId: string
  readonly sidecars: readonly Sidecar[]
  readonly context: TaskContext
}

const applyOne = async (
  { library, rootId, sidecars, context }: Application,
  seen: readonly { readonly id: string | undefined; readonly walked: WalkedFile }[],
): Promise<void> => {
  const folders = [...new Set(sidecars.map(({ folder }) => folder))]
  const beside = await selectBooksBeside(context.db.readSlowly, rootId, folders)
  const seriesAt = await selectSeriesAt(context.db.readSlowly, library.id, folders)
  const now = context.clock()
  const effects = sidecars.map((sidecar) => effectOf(sidecar, beside, seriesAt))
  const bookIds = [...new Set(effects.flatMap(({ books }) => books))]
  const seriesIds = [...new Set(effects.flatMap(({ series }) => series))]
  await context.write(async (db) => {
    await saveSeen(db, rootId, seen, now)
    await saveLayers(
      db,
      effects.flatMap(({ layers }) => layers),
      now,
    )
    await forgetLayers(
      db,
      effects.flatMap(({ forgotten }) => forgotten),
    )
    const sources = new Map(effects.flatMap(({ layers, forgotten }) => [...forgotten, ...layers]).map(bySubject))
    const sourceOf = (id: string) => sources.get(id) ?? 'path'
    const refreshed = await refresh(db, { books: bookIds, sourceOf, series: seriesIds }, now)
    await requestCovers(
      db,
      effects.flatMap(({ covers }) => covers),
      now,
    )
    await announceRefreshed(db, refreshed, now)
  })
}

const bySubject = ({ entityId, source }: { entityId: string; source: string }) => [entityId, source] as const

type Beside = Awaited<ReturnType<typeof selectBooksBeside>>[number]

interface Effect {
  readonly books: readonly string[]
  readonly series: readonly string[]
  readonly layers: readonly { entityId: string; source: string; fields: object }[]
  readonly forgotten: readonly { entityId: string; source: string }[]
  readonly covers: readonly string[]
}

const nothing: Effect = { books: [], series: [], layers: [], forgotten: [], covers: [] }

/** Whom a sidecar speaks of: the book of its name, the one book of its folder, or the series of its folder. */
const effectOf = (
  { folder, name, layer }: Sidecar,
  beside: readonly Beside[],
  seriesAt: ReadonlyMap<string, readonly string[]>,
): Effect => {
  const here = beside.filter((book) => book.folder === folder)
  const kind = kindOfSidecar(name)
  const named = here.filter((book) => withoutExtension(book.name) === withoutExtension(name))
  if (kind === 'picture')
    return { ...nothing, covers: (named.length > 0 ? named : here).slice(0, 1).map(({ id }) => id) }
  const source = sourceOf[kind]
  if (kind === 'series.json') {
    const series = [...new Set([...here.map(({ series_id }) => series_id), ...(seriesAt.get(folder) ?? [])])]
    if (!layer) return { ...nothing, series, forgotten: series.map((entityId) => ({ entityId, source })) }
    return { ...nothing, series, layers: series.map((entityId) => ({ entityId, source, fields: layer.series })) }
  }
  const books = (named.length > 0 ? named : here.length === 1 ? here : []).map(({ id }) => id)
  if (!layer) return { ...nothing, books, forgotten: books.map((entityId) => ({ entityId, source })) }
  const fields: { book: BookFields; series: SeriesFields } = { book: layer.book, series: layer.series }
  return { ...nothing, books, layers: books.map((entityId) => ({ entityId, source, fields })) }
}

const saveSeen = async (
  db: Parameters<typeof saveLayers>[0],
  rootId: string,
  seen: readonly { readonly id: string | undefined; readonly walked: WalkedFile }[],
  now: Date,
): Promise<void> => {
  const rows = seen.map(({ id, walked: [folder, name, size, modified, changed, inode, device] }) => ({
    id: id ?? newId(now.getTime()),
    root_id: rootId,
    folder,
    name,
    size,
    modified_us: modified,
    changed_us: changed,
    inode,
    device,
  }))
  await upsertSidecars(db, rows)
}
