import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { describe, expect, test } from 'vitest'
import { unknownId } from '../../../test/contract/inputs.ts'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { openStream } from '../../../test/event-stream.ts'
import { hour, minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import {
  dismiss,
  fixtures,
  made,
  openHouse,
  read,
  rec,
  refresh,
  titlesOf,
} from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import type { Database } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { refreshOne, tellDismissal } from './tasks.ts'

/** Files say these tags of books. */
const writeTags = (db: Database, tags: Readonly<Record<string, readonly (string | undefined)[]>>): Promise<void> =>
  db.write(async (db) => {
    const ids = new Map(Object.keys(tags).map((name) => [name, newId(0)]))
    const at = new Date(0).toISOString()
    await insertMany(
      db,
      'term',
      [...ids].map(([name, id]) => ({ id, kind: 'tag', name, key: name, sort_key: name, created_at: at })),
    )
    const of = ([name, books]: [string, readonly (string | undefined)[]]) =>
      books.map((book_id = '') => ({ book_id, term_id: ids.get(name) ?? '', role: '', place: 0 }))
    await insertMany(db, 'book_term', Object.entries(tags).flatMap(of))
  })

const tasksOf = ({ context }: TestServer) =>
  context.db.read.selectFrom('task').select(['id', 'status']).where('type', '=', refreshOne.type).execute()

describe('REC-1 without and with plugins that recommend', () => {
  test('REC-1 what is not there yet is made once, kept for a day, and shown while it is made anew', async () => {
    const { clock, pass } = movableClock()
    await using house = await openHouse({ clock })
    const { server } = house
    const plugin = await house.setUp({ source: 'api:here', recommendations: [rec('1')] })
    const person = await server.person('reader')
    await using stream = await openStream(
      server.url,
      { authorization: `Bearer ${person.accessToken}` },
      '/api/v1/events',
    )
    await stream.first('connected')
    const again = async () => {
      const { username, password } = person
      const { accessToken } = bodyOf(await server.call(api.login, { body: { username, password } }))
      return { call: server.callWith({ authorization: `Bearer ${accessToken}` }) }
    }

    const [first, second] = await Promise.all([read(person), read(person)])
    for (const { recommendations, sources } of [first, second]) {
      if (recommendations.length > 0) continue
      expect(sources).toMatchObject([{ pluginId: plugin.id, pluginName: 'Plugin 1', source: 'api:here' }])
    }
    const stored = await made(person)
    expect(titlesOf(stored)).toEqual(['Title 1'])
    expect(stored.sources).toEqual([
      {
        pluginId: plugin.id,
        pluginName: 'Plugin 1',
        cached: true,
        generatedAt: clock().toISOString(),
        source: 'api:here',
        taskId: null,
        taskStatus: null,
      },
    ])
    expect(await tasksOf(server)).toHaveLength(1)
    expect((await stream.first('recommendations_updated')).data).toMatchObject({ type: 'recommendations_updated' })

    pass(24 * hour - minute)
    const later = await again()
    expect(await read(later)).toEqual(stored)
    expect(await tasksOf(server)).toHaveLength(1)
    pass(minute)
    const stale = await read(later)
    expect(titlesOf(stale)).toEqual(['Title 1'])
    const fresh = await made(later)
    expect(fresh.sources[0]?.generatedAt).toBe(clock().toISOString())
    expect(await tasksOf(server)).toHaveLength(2)
  })

  test('REC-1 all plugins go into one list, each item with the best of what is said of it', async () => {
    await using house = await openHouse()
    await house.setUp({
      source: 'api:one',
      recommendations: [rec('1', { score: 0.4, basedOn: ['A'] }), rec('2', { score: 0.9 })],
    })
    await house.setUp({
      source: 'api:two',
      recommendations: [rec('1', { score: 0.7, title: 'Better', reason: 'Other', basedOn: ['B', 'A'] }), rec('3')],
    })
    const reader = await house.server.person('reader')
    await read(reader)
    const { recommendations, sources } = await made(reader)
    expect(sources.map(({ source }) => source)).toEqual(['api:one', 'api:two'])
    expect(recommendations).toMatchObject([
      { externalId: '2', source: 'api:one', sourcePlugin: 'Plugin 1' },
      {
        externalId: '1',
        title: 'Better',
        score: 0.7,
        reason: 'Other · Reason 1',
        basedOn: ['B', 'A'],
        source: 'api:two',
        sourcePlugin: 'Plugin 2',
      },
      { externalId: '3', score: 0.5 },
    ])
  })

  test('REC-1 a refresh is refused only when everybody is at it', async () => {
    await using server = await startServer()
    const { db } = server.context
    const reader = await server.person('reader')
    const admin = await server.person('admin')
    await cp(fixtures, join(server.context.config.dataDir, 'plugins', 'recommending'), { recursive: true })
    const basics = { displayName: 'One', command: 'node', args: ['recommending/recommends.mjs'], enabled: true }
    for (const name of ['one', 'two'])
      bodyOf(
        await admin.call(api.createPlugin, { body: { name, ...basics, displayName: name, enabledFor: 'everybody' } }),
      )
    const manifest = { name: 'x', displayName: 'X', version: '1', protocolVersion: '1.0' }
    const manifestText = JSON.stringify({ ...manifest, capabilities: { userRecommendationProvider: true } })
    await db.write((db) => db.updateTable('plugin').set({ manifest: manifestText }).execute())
    expect(bodyOf(await refresh(reader)).taskIds).toHaveLength(2)
    expect(errorOf(await refresh(reader))).toMatchObject({ error: 'conflict' })
    const { sources } = await read(reader)
    expect(sources.map(({ taskStatus }) => taskStatus)).toEqual(['pending', 'pending'])
    await db.write((db) =>
      db
        .updateTable('task')
        .set({ status: 'cancelled' })
        .where('id', '=', sources[0]?.taskId ?? '')
        .execute(),
    )
    expect(bodyOf(await refresh(reader)).taskIds).toHaveLength(1)
  })
})

describe('REC-1 what somebody dismisses', () => {
  test('REC-1 is gone at once, stays away, and comes back when it is restored', async () => {
    const { clock, pass } = movableClock()
    await using house = await openHouse({ clock })
    const { server } = house
    const recommendations = [rec('a/b?c', { score: 1 }), rec('2')]
    await house.setUp({ source: 'api:one', recommendations })
    await house.setUp({ source: 'api:two', recommendations })
    await house.setUp({ source: 'api:one', tells: true }, { name: 'z' })
    const [reader, other] = [await server.person('reader'), await server.person('reader')]
    for (const each of [reader, other]) {
      await read(each)
      await made(each)
    }
    expect(bodyOf(await dismiss(reader, 'a/b?c', 'already_read'))).toEqual({ dismissed: true })
    expect(bodyOf(await dismiss(reader, 'a/b?c'))).toEqual({ dismissed: true })
    expect(titlesOf(await read(reader))).toEqual(['Title 2', 'Told'])
    expect(titlesOf(await read(other))).toEqual(['Title a/b?c', 'Title 2', 'Told'])
    expect(errorOf(await dismiss(reader, 'never'))).toMatchObject({ error: 'not_found' })
    expect(
      errorOf(
        await reader.call(api.dismissRecommendation, { params: { externalId: '2' }, body: { reason: 'x' as never } }),
      ),
    ).toMatchObject({ error: 'validation_failed' })

    // The plugin hears of this dismissal, but not of the one that was taken back.
    expect(bodyOf(await dismiss(reader, 'told', 'not_interested'))).toEqual({ dismissed: true })
    const taken = { params: { externalId: 'told' } }
    expect((await reader.call(api.restoreRecommendation, taken)).status).toBe(204)
    expect((await reader.call(api.restoreRecommendation, taken)).status).toBe(204)
    pass(minute)
    await waitUntil('everybody has been told', async () => {
      const left = await server.context.db.read
        .selectFrom('task')
        .select('id')
        .where('type', '=', tellDismissal.type)
        .where('status', '!=', 'completed')
        .execute()
      return left.length === 0
    })
    bodyOf(await refresh(reader))
    const after = await made(reader)
    expect(titlesOf(after)).toEqual(['Title 2', 'Told'])
    expect(JSON.parse(after.recommendations[1]?.reason ?? '')).toEqual({
      excludeIds: ['a/b?c'],
      dismissed: [],
      userConfig: {},
    })
    const restored = { params: { externalId: 'a/b?c' } }
    expect((await reader.call(api.restoreRecommendation, restored)).status).toBe(204)
    expect(titlesOf(await read(reader))).toEqual(['Title a/b?c', 'Title 2', 'Told'])
  })

  test('REC-1 is told to its plugin, whether that can do with it or not', async () => {
    const { clock, pass } = movableClock()
    await using house = await openHouse({ clock })
    const { server } = house
    await house.setUp({ tells: true })
    await house.setUp({ source: 'api:deaf', recommendations: [rec('9')], cannot: ['recommendations/dismiss'] })
    const [series] = await addManySeries(server.context.db, await addLibrary(server.context.db), [{ title: 'Nemo' }])
    if (!series) throw new Error('There is no series')
    await addBooks(server.context.db, series, [{}])
    const reader = await server.person('reader')
    await read(reader)
    expect(titlesOf(await made(reader))).toEqual(['Nemo', 'Title 9', 'Told'])
    for (const id of [series.id, '9']) bodyOf(await dismiss(reader, id, 'already_owned'))
    pass(minute)
    const ended = await waitUntil('everybody has been told', async () => {
      const tasks = await server.context.db.read
        .selectFrom('task')
        .select(['status', 'result'])
        .where('type', '=', tellDismissal.type)
        .execute()
      return tasks.every(({ status }) => status === 'completed') ? tasks : undefined
    })
    expect(ended.map(({ result }) => result ?? '').toSorted((one, other) => one.localeCompare(other))).toEqual([
      '{"told":false}',
      '{"told":true}',
    ])
    bodyOf(await refresh(reader))
    const { recommendations } = await made(reader)
    expect(JSON.parse(recommendations[0]?.reason ?? '')).toMatchObject({
      dismissed: [{ externalId: series.id, reason: 'already_owned' }],
    })
  })
})

describe('what plugins are told, and what is believed of them', () => {
  test('AUTH-7 HTTP-3 a plugin hears of what its user sees, with what they have read of it', async () => {
    await using house = await openHouse()
    const { db } = house.server.context
    await house.setUp({ tells: true })
    const library = await addLibrary(db)
    const metadata = JSON.stringify({
      genres: ['Comedy'],
      tags: ['cats'],
      publisher: 'P',
      authors: [{ name: 'Ana', role: 'author' }],
      externalIds: [{ source: 'anilist', id: '5' }],
    })
    const [done, begun, fresh, listed, hidden, half] = await addManySeries(db, library, [
      { title: 'Done', metadata, publisher: 'P', year: 2001, status: 'ended' },
      { title: 'Begun' },
      { title: 'Fresh' },
      { title: 'Wanted' },
      { title: 'Hidden', age_rating: 18 },
      { title: 'Half', age_rating: 6 },
    ])
    if (!done || !begun || !fresh || !listed || !hidden || !half) throw new Error('There are no series')
    const books = {
      done: await addBooks(db, done, [{}]),
      begun: await addBooks(db, begun, [{}, {}]),
      half: await addBooks(db, half, [{ age_rating: 6 }, { age_rating: 18 }]),
    }
    for (const each of [fresh, listed]) await addBooks(db, each, [{}])
    await addBooks(db, hidden, [{ age_rating: 18 }])
    await writeTags(db, { railways: [books.half[0], books.done[0]], secrets: [books.half[1]] })
    const reader = await house.server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
    const finish = (id = '') =>
      reader.call(api.saveProgress, { params: { id }, body: { currentPage: 20, completed: true } })
    for (const id of [books.done[0], books.begun[0], books.half[0]]) bodyOf(await finish(id))
    bodyOf(await reader.call(api.saveSeriesRating, { params: { id: done.id }, body: { rating: 90, notes: 'Mine' } }))
    bodyOf(await reader.call(api.saveReadingStatus, { params: { id: begun.id }, body: { status: 'paused' } }))
    await db.write((db) =>
      insertMany(db, 'want_to_read', [
        { id: unknownId, user_id: reader.id, series_id: listed.id, book_id: null, position: 0, added_at: '2026' },
      ]),
    )

    await read(reader)
    const { recommendations } = await made(reader)
    const heard = new Map(
      recommendations
        .filter(({ externalId }) => externalId !== 'told')
        .map(({ title, reason }) => [title, JSON.parse(reason) as Record<string, unknown>]),
    )
    expect([...heard.keys()].toSorted()).toEqual(['Begun', 'Done', 'Fresh', 'Half', 'Wanted'])
    expect(heard.get('Done')).toEqual({
      seriesId: done.id,
      title: 'Done',
      alternateTitles: [],
      genres: ['Comedy'],
      tags: ['cats'],
      year: 2001,
      externalIds: [{ source: 'api:anilist', externalId: '5' }],
      readingStatus: 'completed',
      booksRead: 1,
      booksOwned: 1,
      startedAt: expect.any(String) as string,
      lastReadAt: expect.any(String) as string,
      completedAt: expect.any(String) as string,
      userRating: 90,
      metadata: { authors: [{ name: 'Ana', role: 'author' }], publisher: 'P' },
    })
    expect(heard.get('Begun')).toMatchObject({ readingStatus: 'on_hold', booksRead: 1, booksOwned: 2 })
    // Where nobody has said anything of the series, the books that the user sees decide.
    expect(heard.get('Half')).toMatchObject({
      readingStatus: 'completed',
      booksRead: 1,
      booksOwned: 1,
      tags: ['railways'],
    })
    expect(heard.get('Fresh')).toMatchObject({ readingStatus: 'unread', booksRead: 0 })
    expect(heard.get('Wanted')).toMatchObject({ readingStatus: 'plan_to_read' })
    expect(recommendations.find(({ title }) => title === 'Fresh')).toMatchObject({
      serviceSeriesId: fresh.id,
      inService: true,
      inLibrary: true,
      source: 'plugin:recommends',
    })

    // A series they no longer see is left out, and so is one that names it in its reason.
    const tag = bodyOf(await house.admin.call(api.createSharingTag, { body: { name: 'secret' } }))
    bodyOf(await house.admin.call(api.saveSeriesSharingTags, { params: { id: fresh.id }, body: { tagIds: [tag.id] } }))
    const access = { ageCeiling: 12, includeUnrated: true, denyTags: [tag.id] }
    bodyOf(await house.admin.call(api.updateUser, { params: { id: reader.id }, body: { access } }))
    expect(titlesOf(await read(reader)).toSorted()).toEqual(['Begun', 'Done', 'Half', 'Told', 'Wanted'])
    expect(errorOf(await dismiss(reader, fresh.id))).toMatchObject({ error: 'not_found' })
    bodyOf(await house.admin.call(api.saveSeriesSharingTags, { params: { id: done.id }, body: { tagIds: [tag.id] } }))
    expect(titlesOf(await read(reader))).toEqual(['Told'])
  })

  test('REC-1 HTTP-3 what this server has is found by its ids elsewhere, where its user sees it', async () => {
    await using house = await openHouse()
    const { db } = house.server.context
    await house.setUp({
      source: 'api:anilist',
      recommendations: [rec('5'), rec('6'), rec('7', { codexSeriesId: unknownId })],
    })
    const [open5, hidden6, other7] = await addManySeries(db, await addLibrary(db), [
      { title: 'Five' },
      { title: 'Six', age_rating: 18 },
      { title: 'Seven' },
    ])
    if (!open5 || !hidden6 || !other7) throw new Error('There are no series')
    for (const each of [open5, other7]) await addBooks(db, each, [{}])
    await addBooks(db, hidden6, [{ age_rating: 18 }])
    await db.write((db) =>
      insertMany(
        db,
        'external_id',
        [
          [open5.id, 'anilist', '5'],
          [hidden6.id, 'api:anilist', '6'],
          [other7.id, 'mangabaka', '7'],
        ].map(([entity_id = '', source = '', external_id = '']) => ({
          entity_id,
          entity: 'series' as const,
          source,
          external_id,
          url: null,
        })),
      ),
    )
    const foundBy = async (person: Person) => {
      await read(person)
      const { recommendations } = await made(person)
      return recommendations.map(({ inService, serviceSeriesId }) => [inService, serviceSeriesId])
    }
    const child = await house.server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
    expect(await foundBy(child)).toEqual([
      [true, open5.id],
      [false, null],
      [false, null],
    ])
    expect(await foundBy(await house.server.person('reader'))).toEqual([
      [true, open5.id],
      [true, hidden6.id],
      [false, null],
    ])
  })
})
