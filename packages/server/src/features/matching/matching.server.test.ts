import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, describe, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')
const library = await addLibrary(db)

const yotsuba = {
  externalId: '30104',
  title: 'Yotsuba&!',
  year: 2003,
  relevanceScore: 0.97,
  externalUrl: 'https://catalogue.example/30104',
  summary: '<p>A girl and <b>her</b> father.</p>',
  publisher: 'ASCII Media Works',
  status: 'ongoing',
  genres: ['Comedy', 'comedy', 'Slice of Life'],
  authors: [{ name: 'Kiyohiko Azuma', role: 'author' }, 'Somebody'],
  externalIds: [{ source: 'api:anilist', externalId: '30104' }],
  externalRatings: [{ score: 88, voteCount: 12_000, source: 'anilist' }],
  readingDirection: 'sideways',
}
const entryTitled = (title: string) => ({
  ...yotsuba,
  alternateTitles: [{ title, language: 'ja', titleType: 'native' }],
})
const catalogue = await setUpCatalogue(house, { entries: [entryTitled('よつばと!')] })
const source = `plugin:${catalogue.name}`

const newSeries = async (title = 'Yotsuba') => {
  const series = await addSeries(db, await addLibrary(db), { title })
  const [bookId = ''] = await addBooks(db, series, [{}])
  return { id: series.id, bookId }
}
const options = { pluginId: catalogue.id, externalId: '30104' }
const shownOf = async (id: string) => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
const apply = async (id: string, body: Partial<api.MetadataApplyRequest> = {}) =>
  bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body: { ...options, ...body } }))
const undo = async (id: string, historyId: string | null) =>
  bodyOf(await editor.call(api.undoSeriesMetadata, { params: { id }, body: { historyId: historyId ?? '' } }))

test('PLG-1 C19 who knows metadata is told, and asked through a worker', async () => {
  const { id } = await newSeries()
  const query = { scope: 'series:detail', libraryId: library.id } as const
  const { actions } = bodyOf(await editor.call(api.listPluginActions, { query }))
  expect(actions).toMatchObject([{ pluginId: catalogue.id, pluginDisplayName: 'catalogue' }])
  const answer = bodyOf(
    await editor.call(api.searchSeriesMetadata, { params: { id }, body: { pluginId: catalogue.id } }),
  )
  expect(answer).toMatchObject({ query: 'Yotsuba', results: [{ externalId: '30104', year: 2003, refused: false }] })
  const best = bodyOf(await editor.call(api.matchSeriesMetadata, { params: { id }, body: { pluginId: catalogue.id } }))
  expect(best).toMatchObject({ match: { externalId: '30104' }, confidence: 1, isCertain: true, alternatives: [] })
})

test('a plugin that is off, unknown, not for this library, or has no such thing is refused with a reason', async () => {
  const { id } = await newSeries()
  const elsewhere = await addLibrary(db)
  const other = await setUpCatalogue(house, { entries: [] }, { libraryIds: [elsewhere.id] })
  const off = await setUpCatalogue(house, { entries: [] })
  bodyOf(await house.admin.call(api.disablePlugin, { params: { id: off.id } }))
  const ask = async (pluginId: string, externalId = '1') =>
    errorOf(await editor.call(api.previewSeriesMatch, { params: { id }, body: { pluginId, externalId } })).error
  expect(await ask(other.id)).toBe('conflict')
  expect(await ask(off.id)).toBe('conflict')
  expect(await ask(id)).toBe('not_found')
  expect(await ask(catalogue.id, 'nothing')).toBe('not_found')
})

test('CAT-2 a preview says of every field what would become of it, and changes nothing', async () => {
  const { id } = await newSeries()
  bodyOf(
    await editor.call(api.editSeriesMetadata, {
      params: { id },
      body: { publisherLock: true, status: 'ended', year: 2003 },
    }),
  )
  const modest = await setUpCatalogue(house, {
    entries: [entryTitled('よつばと!')],
    permissions: ['metadata:write:title', 'metadata:write:publisher', 'metadata:write:status', 'metadata:write:year'],
  })
  const preview = bodyOf(
    await editor.call(api.previewSeriesMatch, { params: { id }, body: { ...options, pluginId: modest.id } }),
  )
  const statuses = Object.fromEntries(preview.fields.map(({ field, status }) => [field, status]))
  expect(statuses).toMatchObject({
    title: 'will_apply',
    alternateTitles: 'will_apply',
    publisher: 'locked',
    status: 'locked',
    year: 'unchanged',
    genres: 'no_permission',
    summary: 'no_permission',
    // What it says of it is none of the words there are.
    readingDirection: 'not_provided',
    cover: 'not_provided',
  })
  expect(preview.fields.find(({ field }) => field === 'status')?.reason).toBe('said by people')
  const { willApply, locked, noPermission, unchanged, notProvided } = preview.summary
  expect([willApply, locked, unchanged]).toEqual([2, 2, 1])
  expect(willApply + locked + noPermission + unchanged + notProvided).toBe(preview.fields.length)
  const tried = bodyOf(
    await editor.call(api.applySeriesMatch, {
      params: { id },
      body: { ...options, pluginId: modest.id, dryRun: true, fields: ['title', 'genres'] },
    }),
  )
  expect(tried).toMatchObject({
    appliedFields: ['title'],
    skippedFields: [{ field: 'genres', reason: 'no permission' }],
    historyId: null,
    dryRunReport: { changes: [{ field: 'title', before: null, after: 'Yotsuba&!' }] },
  })
  expect(await shownOf(id)).toMatchObject({ title: null, genres: [], publisher: null })
})

describe('CAT-2 a match', () => {
  test('is the word of the plugin: what is wanted of it is shown, kept apart, found and told', async () => {
    const { id } = await newSeries()
    const applied = await apply(id, { fields: ['title', 'genres', 'summary', 'authors', 'externalIds', 'year'] })
    expect(applied.appliedFields.toSorted()).toEqual(
      ['title', 'genres', 'summary', 'authors', 'externalIds', 'year'].toSorted(),
    )
    expect(await shownOf(id)).toMatchObject({
      title: 'Yotsuba&!',
      genres: ['Comedy', 'Slice of Life'],
      summary: 'A girl and her father.',
      authors: [{ name: 'Kiyohiko Azuma' }, { name: 'Somebody', role: 'author' }],
      publisher: null,
      externalIds: [
        { source: 'catalogue', id: '30104', url: 'https://catalogue.example/30104' },
        { source: 'anilist', id: '30104', url: null },
      ],
    })
    const { fields } = bodyOf(await editor.call(api.readSeriesMetadataSources, { params: { id } }))
    expect(fields['title']).toMatchObject({ shown: source, values: [{ source, by: { id: editor.id } }] })
    const [change] = bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id } })).data
    expect(change).toMatchObject({ id: applied.historyId, source, reason: 'plugin', by: { id: editor.id } })
    const ids = await db.read.selectFrom('external_id').select('source').where('entity_id', '=', id).execute()
    expect(ids.map((each) => each.source).sort()).toEqual(['anilist', 'catalogue'])
    expect(await apply(id, { fields: ['title', 'genres'] })).toMatchObject({ appliedFields: [], historyId: null })
  })

  test('never goes over what people say or lock, then or later', async () => {
    const { id } = await newSeries()
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { title: 'Mine', genresLock: true } }))
    const applied = await apply(id)
    expect(applied.skippedFields).toContainEqual({ field: 'title', reason: 'said by people' })
    expect(applied.skippedFields).toContainEqual({ field: 'genres', reason: 'locked' })
    expect(await shownOf(id)).toMatchObject({ title: 'Mine', genres: [], publisher: 'ASCII Media Works' })
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { publisher: 'Yen Press' } }))
    expect((await shownOf(id)).publisher).toBe('Yen Press')
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { summaryLock: true } }))
    const { fields } = bodyOf(await editor.call(api.readSeriesMetadataSources, { params: { id } }))
    expect(fields['publisher']?.values.map((each) => each.source)).toEqual(['user', source])
  })

  test('C13 is undone as any change, word by word, and can be done again', async () => {
    const { id } = await newSeries()
    const first = await apply(id, { fields: ['title', 'publisher'] })
    const second = await apply(id, { fields: ['genres'] })
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { year: 1999 } }))
    expect(await undo(id, first.historyId)).toMatchObject({
      conflicts: [],
      metadata: { title: null, publisher: null, genres: ['Comedy', 'Slice of Life'], year: 1999 },
    })
    const [newest] = bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id } })).data
    expect(newest).toMatchObject({ reason: 'undo' })
    expect((await undo(id, newest?.id ?? '')).metadata).toMatchObject({ title: 'Yotsuba&!' })
    await undo(id, second.historyId)
    expect(await shownOf(id)).toMatchObject({ title: 'Yotsuba&!', genres: [], year: 1999 })
  })

  test('taken back gives back what was, forgets the layer, and is remembered as refused', async () => {
    const { id } = await newSeries()
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { genres: ['Mine'] } }))
    const before = await shownOf(id)
    await apply(id)
    expect(await shownOf(id)).not.toEqual(before)
    const params = { id, pluginName: catalogue.name }
    expect((await editor.call(api.unmatchSeries, { params })).status).toBe(204)
    expect(await shownOf(id)).toEqual(before)
    const layers = await db.read.selectFrom('metadata_layer').select('source').where('entity_id', '=', id).execute()
    expect(layers).toEqual([{ source: 'user' }])
    const body = { pluginId: catalogue.id, query: 'Yotsuba' }
    const answer = bodyOf(await editor.call(api.searchSeriesMetadata, { params: { id }, body }))
    expect(answer.results).toMatchObject([{ refused: true }])
    const best = bodyOf(
      await editor.call(api.matchSeriesMetadata, { params: { id }, body: { pluginId: catalogue.id } }),
    )
    expect(best).toMatchObject({ match: null, isCertain: false })
  })

  test('HTTP-6 is refused when the series has changed since it was read', async () => {
    const { id } = await newSeries()
    const { headers } = await editor.call(api.readSeriesMetadata, { params: { id } })
    bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { year: 1 } }))
    const late = house.server.callWith({
      authorization: `Bearer ${editor.accessToken}`,
      'if-match': headers.get('etag') ?? '',
    })
    expect(errorOf(await late(api.applySeriesMatch, { params: { id }, body: options })).error).toBe(
      'precondition_failed',
    )
    expect((await shownOf(id)).title).toBeNull()
  })
})

test('what a plugin names is only ever an address of the web', async () => {
  const { id } = await newSeries()
  const sly = await setUpCatalogue(house, {
    entries: [
      { externalId: 'x', title: 'Yotsuba', externalUrl: 'javascript:alert(1)', coverUrl: 'file:///etc/passwd' },
    ],
  })
  const body = { pluginId: sly.id, externalId: 'x' }
  const preview = bodyOf(await editor.call(api.previewSeriesMatch, { params: { id }, body }))
  expect(preview.externalUrl).toBeNull()
  expect(preview.fields.find(({ field }) => field === 'cover')?.status).toBe('not_provided')
  const answer = bodyOf(await editor.call(api.searchSeriesMetadata, { params: { id }, body: { pluginId: sly.id } }))
  expect(answer.results).toMatchObject([{ coverUrl: null }])
})

test('CAT-2 a book is matched, shown and undone as a series is', async () => {
  const { bookId: id } = await newSeries()
  const books = await setUpCatalogue(house, {
    entries: [
      {
        externalId: 'b1',
        title: 'Yotsuba 1',
        subtitle: 'Good morning',
        releaseDate: '2003-08-27',
        isbn: '978-4-8402-2466-1',
        language: 'ja',
        bookType: 'manga',
        seriesPosition: 1,
        awards: [{ name: 'A prize', won: true }],
      },
    ],
  })
  const body = { pluginId: books.id, externalId: 'b1' }
  const preview = bodyOf(await editor.call(api.previewBookMatch, { params: { id }, body }))
  expect(preview.fields).toContainEqual(expect.objectContaining({ field: 'isbns', status: 'will_apply' }))
  const applied = bodyOf(await editor.call(api.applyBookMatch, { params: { id }, body }))
  const shown = bodyOf(await editor.call(api.readBookMetadata, { params: { id } }))
  expect(shown).toMatchObject({
    subtitle: 'Good morning',
    year: 2003,
    month: 8,
    day: 27,
    isbns: ['9784840224661'],
    languageIso: 'ja',
    bookType: 'manga',
    seriesPosition: 1,
    awards: [{ name: 'A prize', won: true }],
    externalIds: [{ source: 'catalogue', id: 'b1', url: null }],
  })
  const undone = bodyOf(
    await editor.call(api.undoBookMetadata, { params: { id }, body: { historyId: applied.historyId ?? '' } }),
  )
  expect(undone).toMatchObject({ conflicts: [], metadata: { subtitle: null, isbns: [], year: null, bookType: null } })
})

test('AUTH-7 who may only read cannot ask, and what is hidden cannot be asked about', async () => {
  const { id } = await newSeries()
  const reader = await house.server.person('reader')
  const elsewhere = await addLibrary(db)
  const blind = await house.server.person('editor', { access: { libraries: [elsewhere.id] } })
  const body = { pluginId: catalogue.id }
  expect((await reader.call(api.searchSeriesMetadata, { params: { id }, body })).status).toBe(403)
  expect((await blind.call(api.searchSeriesMetadata, { params: { id }, body })).status).toBe(404)
})

test('PLG-1 a catalogue file of one’s own matches a series, as it comes with Carrel', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-catalogue-'))
  const file = join(folder, 'catalogue.csv')
  await writeFile(
    file,
    'id,title,year,publisher,genres,externalIds\nm1,Mushishi,1999,Kodansha,Mystery|Fantasy,api:anilist=418\n',
  )
  const packageName = '@carrel/plugin-local-catalogue'
  const packages = async () => bodyOf(await house.admin.call(api.listPluginPackages, {})).packages
  await expect.poll(packages).toContainEqual(expect.objectContaining({ name: packageName }))
  const { plugin } = bodyOf(
    await house.admin.call(api.createPlugin, {
      body: {
        name: 'my-catalogue',
        displayName: 'My catalogue',
        package: packageName,
        enabled: true,
        config: { file },
        permissions: [
          `read:${file}`,
          'metadata:write:publisher',
          'metadata:write:genres',
          'metadata:write:external_ids',
        ],
      },
    }),
  )
  const { id } = await newSeries('Mushishi')
  const best = bodyOf(await editor.call(api.matchSeriesMetadata, { params: { id }, body: { pluginId: plugin.id } }))
  expect(best).toMatchObject({ match: { externalId: 'm1', year: 1999 }, isCertain: true })
  await apply(id, { pluginId: plugin.id, externalId: 'm1' })
  const shown = await shownOf(id)
  expect(shown).toMatchObject({ title: null, publisher: 'Kodansha', genres: ['Mystery', 'Fantasy'], year: null })
  expect(shown.externalIds).toContainEqual({ source: 'anilist', id: '418', url: null })
  await rm(folder, { recursive: true })
})
