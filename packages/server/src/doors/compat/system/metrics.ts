import type { CompatMetric } from '@carrel/api/doors'
import type { Context } from '../../../context.ts'
import { readAllMetrics } from '../../../features/task-admin/task-admin.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Spelling } from '../spelling.ts'
import { countLists, selectBytesOfLibraries, selectLibraryFigures, selectSidecarsOfLibraries } from './queries.ts'

interface Narrowed {
  readonly library: string | undefined
  readonly type: string | undefined
}

type Source = Pick<Context, 'db' | 'settings' | 'clock'>
type MetricReader = (source: Source, narrowed: Narrowed, spelling: Spelling) => Promise<Omit<CompatMetric, 'name'>>

/** A figure of each library, and of all together. */
const perLibrary =
  (
    description: string,
    baseUnit: string | null,
    figures: (source: Source) => Promise<(library: { id: string; series: number; books: number }) => number>,
  ): MetricReader =>
  async (source, { library }, { outId }) => {
    const libraries = await selectLibraryFigures(source.db.readSlowly)
    const figureOf = await figures(source)
    const counted = libraries.filter(({ id }) => library === undefined || id === library)
    if (library !== undefined && counted.length === 0) throw notFound('library')
    const value = counted.reduce((sum, each) => sum + figureOf(each), 0)
    const tags =
      library === undefined && libraries.length > 0 ? [{ tag: 'library', values: idsOf(libraries, outId) }] : []
    return { description, baseUnit, measurements: [{ statistic: 'VALUE', value }], availableTags: tags }
  }

const idsOf = (libraries: readonly { readonly id: string }[], outId: Spelling['outId']): string[] =>
  libraries.map(({ id }) => outId(id))

const ofAll =
  (description: string, count: (source: Source) => Promise<number>): MetricReader =>
  async (source) => ({
    description,
    baseUnit: null,
    measurements: [{ statistic: 'VALUE', value: await count(source) }],
    availableTags: [],
  })

/** Figures of background tasks reach back as far as they are kept. */
const ofTasks =
  (description: string, isFailure: boolean): MetricReader =>
  async ({ db, settings, clock }, { type }) => {
    const { byType } = await readAllMetrics(db.readSlowly, settings.get('metrics.task_retention_days'), clock())
    const some = byType.filter(
      ({ taskType, failed }) => (type === undefined || taskType === type) && (!isFailure || failed > 0),
    )
    if (type !== undefined && some.length === 0) throw notFound('type of task')
    const count = some.reduce((sum, { executed, failed }) => sum + (isFailure ? failed : executed), 0)
    const seconds = some.reduce((sum, { executed, avgDurationMs }) => sum + (executed * avgDurationMs) / 1000, 0)
    const longest = some.reduce((max, { maxDurationMs }) => Math.max(max, maxDurationMs / 1000), 0)
    const times = [
      { statistic: 'TOTAL_TIME', value: seconds },
      { statistic: 'MAX', value: longest },
    ]
    const types = some.map(({ taskType }) => taskType)
    return {
      description,
      baseUnit: isFailure ? null : 'seconds',
      measurements: [{ statistic: 'COUNT', value: count }, ...(isFailure ? [] : times)],
      availableTags: type === undefined && types.length > 0 ? [{ tag: 'type', values: types }] : [],
    }
  }

const metrics: Readonly<Record<string, MetricReader>> = {
  'komga.series': perLibrary(
    'The number of series',
    null,
    async () =>
      ({ series }) =>
        series,
  ),
  'komga.books': perLibrary(
    'The number of books',
    null,
    async () =>
      ({ books }) =>
        books,
  ),
  'komga.books.filesize': perLibrary('The size of all books', 'bytes', async ({ db }) => {
    const bytes = await selectBytesOfLibraries(db.readSlowly)
    return ({ id }) => bytes.get(id) ?? 0
  }),
  'komga.sidecars': perLibrary('The number of files beside books', null, async ({ db }) => {
    const sidecars = await selectSidecarsOfLibraries(db.readSlowly)
    return ({ id }) => sidecars.get(id) ?? 0
  }),
  'komga.collections': ofAll('The number of collections', ({ db }) => countLists(db.read, 'collection')),
  'komga.readlists': ofAll('The number of read lists', ({ db }) => countLists(db.read, 'read_list')),
  'komga.tasks.execution': ofTasks('Background tasks that were run', false),
  'komga.tasks.failure': ofTasks('Background tasks that failed', true),
}

export const metricNames: readonly string[] = Object.keys(metrics)

export const readMetric = async (
  source: Source,
  name: string,
  narrowed: Narrowed,
  spelling: Spelling,
): Promise<CompatMetric> => {
  const read = Object.hasOwn(metrics, name) ? metrics[name] : undefined
  if (!read) throw notFound('figure')
  return { name, ...(await read(source, narrowed, spelling)) }
}
