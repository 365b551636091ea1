import { expect, test } from 'vitest'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { raiseRevision } from '../database/revisions.ts'
import { newId } from '../platform/ids.ts'
import { type Feed, openFeed } from './feed.ts'
import { ourWording, type Profile } from './render.ts'
import { announce } from './outbox.ts'
import type { StoredEvent } from './queries.ts'

const announceTo = ({ context }: TestServer, userId?: string): Promise<void> =>
  context.db.write((db) =>
    announce(
      db,
      [{ event: { type: 'duplicates_updated' }, to: { ...(userId !== undefined && { userId }) } }],
      context.clock(),
    ),
  )

/** A client that keeps what it is sent. */
const client = () => {
  const chunks: Buffer[] = []
  let ended = false
  return {
    text: () => Buffer.concat(chunks).toString(),
    isEnded: () => ended,
    sink: {
      write: (chunk: Buffer) => void chunks.push(chunk),
      drained: async () => undefined,
      end: () => {
        ended = true
      },
    },
  }
}

const feedOf = ({ context: { db, log, clock } }: TestServer, profile: Profile): Promise<Feed<string>> =>
  openFeed<string>({ db, log, clock, review: async (viewers) => new Map(viewers.map((each) => [each, profile])) })

/** What all subscribers of these tests have in common. */
const common = ({ revision }: Feed<string>) => ({ asOf: revision, types: undefined, wording: ourWording(true) })

const statements = ({ logLines }: TestServer): number => logLines.filter(({ msg }) => msg === 'Statement').length

test('EVT-3 D a thousand subscribers of three profiles cost three decisions, and no statement more than three do', async () => {
  await using server = await startServer()
  const decisions: string[] = []
  const profileOf = (key: string): Profile => ({
    key,
    sees: ({ type }: StoredEvent) => {
      decisions.push(type)
      return key !== 'sees nothing'
    },
  })
  const profiles = ['sees all', 'sees all too', 'sees nothing'].map(profileOf)
  const costOf = async (count: number) => {
    const feed = await feedOf(server, profileOf('unused'))
    const clients = Array.from({ length: count }, client)
    const start = await feed.startAt('now')
    for (const [index, { sink }] of clients.entries()) {
      const profile = profiles[index % 3] ?? profileOf('')
      feed.subscribe({ ...common(feed), viewer: `${index}`, userId: `${index}`, profile, sink }, start)
    }
    decisions.length = 0
    const before = statements(server)
    await announceTo(server)
    await waitUntil('the event at two thirds of them', () => {
      const told = clients.filter(({ text }) => text().includes('duplicates_updated')).length
      return told === count - Math.floor(count / 3)
    })
    await feed.close()
    return { decisions: decisions.length, statements: statements(server) - before }
  }

  const few = await costOf(3)
  const many = await costOf(999)

  expect(few.decisions).toBe(3)
  expect(many.decisions).toBe(3)
  // A look that happened to be due comes on top.
  expect(many.statements).toBeLessThanOrEqual(few.statements + 6)
})

test('EVT-1 who joins in the middle of a storm gets each event once, in order, from where it began', async () => {
  await using server = await startServer()
  const everything: Profile = { key: 'everything', sees: () => true }
  await using _ = await startServer({ address: server.context.config.database })
  const feed = await feedOf(server, everything)
  const clients: ReturnType<typeof client>[] = []
  const starts: number[] = []
  for (let turn = 0; turn < 60; turn += 1) {
    const announcing = Promise.all([announceTo(server), announceTo(server)])
    const joined = client()
    const start = await feed.startAt(turn % 2 === 0 ? 'now' : Math.max(0, feed.position - 5))
    feed.subscribe({ ...common(feed), viewer: newId(), userId: newId(), profile: everything, sink: joined.sink }, start)
    clients.push(joined)
    starts.push(start.number)
    await announcing
  }
  const idsOf = ({ text }: ReturnType<typeof client>) =>
    [...text().matchAll(/id: (\d+)\nevent: duplicates_updated/g)].map(([, id]) => Number(id))

  await waitUntil('everybody to have the last', () => clients.every((each) => idsOf(each).at(-1) === 120))

  for (const [index, each] of clients.entries()) {
    const first = (starts[index] ?? 0) + 1
    expect(idsOf(each)).toEqual(Array.from({ length: 120 - first + 1 }, (__, index) => first + index))
  }
  await feed.close()
})

test('EVT-2 among events for all, those for one are in their place', async () => {
  await using server = await startServer()
  const everything: Profile = { key: 'everything', sees: () => true }
  const feed = await feedOf(server, everything)
  const [mine, theirs] = [client(), client()]
  const start = await feed.startAt('now')
  for (const [userId, { sink }] of [
    ['me', mine],
    ['them', theirs],
  ] as const) {
    feed.subscribe({ ...common(feed), viewer: userId, userId, profile: everything, sink }, start)
  }

  for (const userId of [undefined, 'me', undefined, 'them', undefined]) await announceTo(server, userId)

  const idsOf = ({ text }: ReturnType<typeof client>) =>
    [...text().matchAll(/id: (\d+)\nevent: duplicates/g)].map(([, id]) => Number(id) - start.number)
  await waitUntil('the last', () => idsOf(mine).at(-1) === 5 && idsOf(theirs).at(-1) === 5)
  expect(idsOf(mine)).toEqual([1, 2, 3, 5])
  expect(idsOf(theirs)).toEqual([1, 3, 4, 5])
  await feed.close()
})

test('EVT-3 who loses a right while their stream begins hears nothing of what came after', async () => {
  await using server = await startServer()
  const { db, log, clock } = server.context
  const everything: Profile = { key: 'everything', sees: () => true }
  const nothing: Profile = { key: 'nothing', sees: () => false }
  const feed = await openFeed<string>({
    db,
    log,
    clock,
    review: async (viewers) => new Map(viewers.map((each) => [each, each === 'late' ? nothing : everything])),
  })
  const [early, late] = [client(), client()]
  const heard = async (count: number) => {
    await announceTo(server)
    await waitUntil('an event', () => early.text().split('event: duplicates_updated').length === count + 1)
  }
  const start = await feed.startAt('now')
  feed.subscribe({ ...common(feed), viewer: 'early', userId: 'early', profile: everything, sink: early.sink }, start)
  await heard(1)
  const before = { ...common(feed), viewer: 'late', userId: 'late', profile: everything, sink: late.sink }
  await db.write((db) => raiseRevision(db, 'access'))
  await heard(2)
  feed.subscribe(before, await feed.startAt('now'))
  await heard(3)

  await waitUntil('the word of it', () => late.text().includes('access_changed'))
  expect(late.text()).not.toContain('duplicates_updated')
  await feed.close()
})
