import * as api from '@carrel/api'
import { languages } from '@carrel/api'
import type { OpdsAuthentication } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicHeader } from '../../../test/basic-door.ts'
import { epub } from '../../../test/books/epub.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { type Element, named, parseStrictly, textOf } from '../../../test/opds.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { fillShelf, type Shelf } from '../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { textsOfEverything } from '../../../test/texts.ts'

let server: TestServer
let shelf: Shelf

beforeAll(async () => {
  server = await startServer()
  shelf = await fillShelf(server)
  const pages = [1, 2].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))
  for (const number of [1, 2])
    await shelf.addBook(`Blame ${number}.cbz`, zip(pages), { title: `Blame ${number}`, number, volume: number })
  await shelf.addBook('Novelle.epub', epub(), { title: 'Novelle', number: 3 })
})

afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The reading application of somebody, which asks for languages or does not. */
const askingAs =
  ({ username, password }: Person, accepted?: string) =>
  (path: string, more: Readonly<Record<string, string>> = {}) =>
    plainRequest(new URL(path, server.url).href, {
      headers: {
        ...basicHeader(username, password),
        ...(accepted !== undefined && { 'accept-language': accepted }),
        ...more,
      },
    })

type Ask = ReturnType<typeof askingAs>

const speak = async (person: Person, language: string | null) =>
  bodyOf(await person.call(api.updateProfile, { body: { language } }))

interface Page {
  /** Everything in it that somebody reads. */
  readonly said: readonly string[]
  readonly addresses: readonly string[]
}

const pageOfXml = (element: Element): Page => {
  const { attributes, children, text } = element
  const below = children.map(pageOfXml)
  const isFeed = /^application\/(?:atom|opds)/.test(attributes['type'] ?? '') && !attributes['href']?.includes('{')
  return {
    said: [text, attributes['title'], attributes['opds:facetGroup'], ...below.flatMap(({ said }) => said)]
      .map((each) => each?.trim() ?? '')
      .filter((each) => each !== ''),
    addresses: [
      ...(isFeed && attributes['href'] !== undefined ? [attributes['href']] : []),
      ...below.flatMap(({ addresses }) => addresses),
    ],
  }
}

const pageOfJson = (value: unknown): Page => {
  if (Array.isArray(value)) {
    const pages = value.map(pageOfJson)
    return { said: pages.flatMap(({ said }) => said), addresses: pages.flatMap(({ addresses }) => addresses) }
  }
  if (typeof value !== 'object' || value === null) return { said: [], addresses: [] }
  const { href, type, templated, title, name, description } = value as Readonly<Record<string, unknown>>
  const isFeed = typeof href === 'string' && /^application\/opds(?:\+json|-publication)/.test(String(type))
  const below = pageOfJson(Object.values(value))
  return {
    said: [...[title, name, description].filter((each) => typeof each === 'string'), ...below.said],
    addresses: [...(isFeed && templated !== true ? [href] : []), ...below.addresses],
  }
}

/** Orders and filters may be combined without end, and say nothing new together. */
const isSimple = (address: string): boolean => (address.split('?')[1] ?? '').split('&').length < 2

/** It follows every link to a feed, each address once, and returns what it has read. */
const walk = async (ask: Ask, start: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const read = new Map<string, readonly string[]>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (read.has(path)) continue
    const { status, text, headers } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    const { said, addresses } = headers['content-type']?.includes('json')
      ? pageOfJson(JSON.parse(text))
      : pageOfXml(parseStrictly(text))
    read.set(path, said)
    waiting.push(...addresses.filter(isSimple).map((address) => address.replace(server.url, '')))
  }
  return read
}

test.each([
  ['de', 'by what the application asks for'],
  ['ja', 'by what is chosen for the account'],
] as const)('OPD-1 no feed of either version has English of ours in it: %s, %s', async (language, _how) => {
  const person = await server.person('reader')
  if (language === 'ja') await speak(person, 'ja')
  const ask = askingAs(person, language === 'de' ? 'nl, de-AT;q=0.8, en;q=0.5' : 'en')
  const own = new Set((await textsOfEverything(language)).map(({ text }) => text))
  const english = (await textsOfEverything('en')).filter(({ text }) => !own.has(text))
  const plain = new Set(english.filter(({ text }) => !text.includes('{{')).map(({ text }) => text))
  const counted = english
    .filter(({ key, text }) => key.startsWith('count.') && text.includes('{{'))
    .map(({ text }) => new RegExp(`^${text.replace('{{count}}', '[\\d,]+')}\\b`))

  for (const start of ['/opds/v1/catalog', '/opds/v2']) {
    const read = await walk(ask, start)
    expect(read.size).toBeGreaterThan(40)
    const left = [...read].flatMap(([path, said]) =>
      said
        .filter((text) => plain.has(text) || counted.some((each) => each.test(text)))
        .map((text) => `${path}: ${text}`),
    )
    expect(left).toEqual([])
    // Something of ours has been read at all.
    expect([...read.values()].flat().some((text) => own.has(text))).toBe(true)
  }
})

test('OPD-1 HTTP-6 two people who ask for the same get it in their own language, with a tag of its own', async () => {
  const [one, other] = [await server.person('reader'), await server.person('reader')]
  await speak(one, 'de')
  await speak(other, 'ja')
  for (const path of ['/opds/v1/catalog', '/opds/v2']) {
    const [german, japanese] = [await askingAs(one)(path), await askingAs(other)(path)]
    expect(german.text).toContain('Weiterlesen')
    expect(japanese.text).toContain('続きを読む')
    expect(german.headers.etag).not.toBe(japanese.headers.etag)
    expect([german.headers['content-language'], japanese.headers['content-language']]).toEqual(['de', 'ja'])
    expect(german.headers.vary).toContain('Accept-Language')
    const tag = german.headers.etag ?? ''
    expect((await askingAs(one)(path, { 'if-none-match': tag })).status).toBe(304)
    expect((await askingAs(other)(path, { 'if-none-match': tag })).status).toBe(200)
  }
})

test('OPD-1 HTTP-6 what is kept for one language is not said to an application that asks for another', async () => {
  const person = await server.person('reader')
  const tags = await Promise.all(
    ['de', 'fr', 'en'].map(async (accepted) => (await askingAs(person, accepted)('/opds/v2')).headers.etag),
  )
  expect(new Set(tags).size).toBe(3)
  // All three have been kept; nothing has been committed since.
  expect((await askingAs(person, 'fr')('/opds/v2')).text).toContain('Reprendre la lecture')
  expect((await askingAs(person, 'de')('/opds/v2')).text).toContain('Weiterlesen')
})

test('OPD-1 ids, addresses and order are the same in every language', async () => {
  const person = await server.person('reader')
  const [start] = await Promise.all(
    ['/opds/v1/catalog', '/opds/v1/languages', '/opds/v1/books'].map(async (path) => {
      const shapes = await Promise.all(
        languages.map(async (language) => {
          const root = parseStrictly((await askingAs(person, language)(path)).text)
          const links = [root, ...named(root, 'entry')].flatMap((each) => named(each, 'link'))
          return {
            ids: [root, ...named(root, 'entry')].map((each) => textOf(each, 'id')),
            links: links.map(({ attributes }) => [attributes['rel'], attributes['href'], attributes['type']]),
          }
        }),
      )
      for (const shape of shapes) expect(shape).toEqual(shapes[0])
      return shapes[0]
    }),
  )
  expect(start?.ids.length).toBeGreaterThan(15)
})

test('OPD-1 W13 whoever has not signed in is asked to in the language of the application', async () => {
  const headers = { 'accept-language': 'de' }
  const refused = await plainRequest(`${server.url}/opds/v2`, { headers })
  const [{ labels } = { labels: undefined }] = (refused.json as OpdsAuthentication).authentication
  expect(refused.status).toBe(401)
  expect(labels).toEqual({ login: 'Benutzername', password: 'Passwort oder API-Schlüssel' })
  expect(refused.headers.vary).toContain('Accept-Language')
  const document = await plainRequest(`${server.url}/opds/v2/auth`, { headers })
  expect(document.json).toEqual(refused.json)
  expect((await plainRequest(`${server.url}/opds/v1/opensearch.xml`, { headers })).text).toContain('Bücher nach Titel')
})

test('HTTP-1 OPD-1 KOR-1 a refusal at a door says its sentence in the language of the user, and its code as ever', async () => {
  const person = await server.person('reader')
  await speak(person, 'de')
  const nowhere = `/opds/v1/series/${crypto.randomUUID()}`
  const refused = await askingAs(person)(nowhere)
  expect(refused.json).toMatchObject({
    title: 'not_found',
    detail: 'Das gibt es nicht, oder nicht für dich.',
    error: 'not_found',
    message: 'There is no such series.',
  })
  expect((await askingAs(await server.person('reader'))(nowhere)).json).toMatchObject({
    detail: 'There is no such series.',
  })
  const koreader = await plainRequest(`${server.url}/koreader/users/auth`, { headers: { 'accept-language': 'de' } })
  expect([koreader.status, (koreader.json as { message: string }).message]).toEqual([
    401,
    expect.stringContaining('Benutzernamen'),
  ])
})
