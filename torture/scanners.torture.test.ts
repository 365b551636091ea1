import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as api from '@carrel/api'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { epub } from '../packages/server/test/books/epub.ts'
import { comic, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { claim, startCarrel } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

const wordlists = '/usr/share/wfuzz/wordlist'

/** They are told apart from what is tried and fails: where a program is not installed nothing was tried. */
const requireProgram = (program: string, skip: (note: string) => void): void => {
  const isThere = !spawnSync(program, ['--version']).error && (program === 'sqlmap' || existsSync(wordlists))
  if (isThere) return
  const note = `NOT TESTED: what ${program} finds, because it is not installed (Debian: sqlmap, ffuf and wfuzz)`
  console.warn(note)
  skip(note)
}

/** Everything that a program prints, when it has ended well. */
const outputOf = async (program: string, args: readonly string[], cwd: string): Promise<string> => {
  const child = spawn(program, args, { cwd, env: { ...process.env, HOME: cwd }, stdio: ['ignore', 'pipe', 'pipe'] })
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const output = Buffer.concat(parts).toString()
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}:\n${output}`)
  return output
}

const startScanned = async () => {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const library = stack.use(await libraryFolder())
  await library.write('Nemo/Nemo 1.cbz', comic({ seed: 1, pages: 3 }))
  await library.write('Dune/Dune.epub', epub())
  const env = {
    CARREL_RATE_LIMIT_ENABLED: 'false',
    CARREL_SETTING_OPDS_ENABLED: 'true',
    CARREL_SETTING_COMPAT_ENABLED: 'true',
    CARREL_LOG_FORMAT: 'json',
  }
  const carrel = stack.use(await startCarrel({ cwd: folder.path, env }))
  const ana = await claim(carrel)
  bodyOf(await ana.call(api.createLibrary, { body: { name: 'Books', roots: [library.path] } }))
  const books = await waitUntil('the books to be read', async () => {
    const { data } = bodyOf(await ana.call(api.listBooks, {}))
    return (
      data.length === 2 && data.every(({ pageCount, fileFormat }) => pageCount > 0 || fileFormat === 'epub') && data
    )
  })
  const idOf = (format: string): string => books.find(({ fileFormat }) => fileFormat === format)?.id ?? ''
  const owned = stack.move()
  return {
    carrel,
    folder: folder.path,
    header: `Authorization: Bearer ${ana.accessToken}`,
    comicId: idOf('cbz'),
    ebookId: idOf('epub'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** It has every flaw that is looked for: a text becomes part of a statement, a path that of a file, and a quote a fault. */
const startFlawed = async () => {
  const database = new Sqlite(':memory:')
  database.exec("create table book (title text); insert into book values ('Nemo'), ('Dune')")
  const server = createServer((request, response) => {
    try {
      const url = new URL(request.url ?? '/', 'http://flawed')
      const q = url.searchParams.get('q')
      if (q !== null) {
        response.end(JSON.stringify(database.prepare(`select title from book where title like '%${q}%'`).all()))
        return
      }
      response.end(readFileSync(join('/var/www', decodeURIComponent(request.url ?? '/'))))
    } catch (error) {
      response.statusCode = error instanceof Sqlite.SqliteError ? 500 : 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      database.close()
    },
  }
}

const countOf = (text: string, part: string): number => text.split(part).length - 1

/** How many addresses have a parameter in which a statement can be hidden, and how many were tried to the end and have none. */
const scanForStatements = async (targets: readonly string[], header: string, folder: string) => {
  const level = times(1, 3, 1)
  // What waits for a database to sleep takes minutes an address.
  const techniques = level === 1 ? 'BEU' : 'BEUST'
  const how = ['--batch', '--flush-session', '--threads=4', '--disable-coloring', '--ignore-code=404']
  const output = await outputOf(
    'sqlmap',
    [...targets, '-H', header, ...how, `--level=${level}`, `--technique=${techniques}`],
    folder,
  )
  return {
    found: countOf(output, 'sqlmap identified the following injection point'),
    clean: countOf(output, 'all tested parameters do not appear to be injectable'),
    output,
  }
}

const searched = [
  '/api/v1/search?q=nemo',
  '/api/v1/books?sort=title,asc&genres=Comedy&tags=funny',
  '/api/v1/series?sort=title,asc&genres=Comedy',
  '/api/v1/genres?q=com',
  '/api/v1/people?q=nemo',
  '/api/v1/people/by-name?name=nemo',
  '/api/v1/users?q=ana&sort=username,asc',
  '/opds/v1/search?query=nemo&author=ana',
  '/opds/v2/series?genre=Comedy&publisher=ana',
  '/opds/v2/letters/N*',
  '/komga/api/v1/series?search=nemo&sort=metadata.titleSort,asc',
  '/komga/api/v1/series?search_regex=nemo,TITLE',
]

test('I11 P-17 sqlmap finds no statement that can be hidden in a parameter, and finds it where there is one', async ({
  skip,
}) => {
  requireProgram('sqlmap', skip)
  await using scanned = await startScanned()
  await using flawed = await startFlawed()
  const { carrel, header, folder } = scanned
  const list = join(folder, 'addresses.txt')
  await writeFile(list, searched.map((path) => carrel.url + path).join('\n'))
  // The star is where it looks.
  const condition = JSON.stringify({ condition: { genre: { operator: 'is', value: 'Comedy*' } } })
  const body = ['-u', `${carrel.url}/api/v1/series/list`, '--data', condition, '-H', 'Content-Type: application/json']

  const parameters = await scanForStatements(['-m', list], header, folder)
  const conditions = await scanForStatements(body, header, folder)
  const control = await scanForStatements(['-u', `${flawed.url}/?q=nemo`], header, folder)

  const found = parameters.found + conditions.found
  tell({ id: 'I11', what: 'addresses looked at by sqlmap', tries: searched.length + 1, lost: found })
  // Where something is found, its own words say what.
  if (found > 0) console.log(parameters.output, conditions.output)
  expect(found).toBe(0)
  expect([parameters.clean, conditions.clean]).toEqual([searched.length, 1])
  expect(control.found).toBe(1)
})

/** What ffuf has fetched that only stands in a file outside. */
const filesFetched = async (url: string, list: string, header: string, folder: string): Promise<readonly unknown[]> => {
  const file = join(folder, 'ffuf.json')
  await outputOf(
    'ffuf',
    ['-w', list, '-u', url, '-H', header, '-mr', 'root:[x*]?:0:0:', '-o', file, '-of', 'json', '-s'],
    folder,
  )
  return (JSON.parse(readFileSync(file, 'utf8')) as { results: unknown[] }).results
}

test('I11 P-17 ffuf fetches no file from outside, whatever the path, and does where a server looks for it', async ({
  skip,
}) => {
  requireProgram('ffuf', skip)
  await using scanned = await startScanned()
  await using flawed = await startFlawed()
  const { carrel, header, folder, comicId, ebookId } = scanned
  const places = [
    '/FUZZ',
    '/api/v1/FUZZ',
    '/api/docs/FUZZ',
    '/assets/FUZZ',
    '/read/FUZZ',
    '/media/FUZZ',
    '/media/found-covers?picture=FUZZ',
    `/media/books/${comicId}/pages/FUZZ`,
    `/api/v1/books/${comicId}/pages/FUZZ`,
    `/api/v1/books/${comicId}/file?file=FUZZ`,
    `/api/v1/books/${ebookId}/resources/FUZZ`,
    `/opds/v1/books/${comicId}/file/FUZZ`,
    `/opds/v1/books/${comicId}/pages/FUZZ`,
    `/komga/api/v1/books/${comicId}/pages/FUZZ`,
  ]
  const list = `${wordlists}/vulns/dirTraversal-nix.txt`

  const found: unknown[] = []
  for (const place of places) found.push(...(await filesFetched(carrel.url + place, list, header, folder)))
  const control = await filesFetched(`${flawed.url}/FUZZ`, list, header, folder)

  const tries = places.length * readFileSync(list, 'utf8').trim().split('\n').length
  tell({ id: 'I11', what: 'paths tried by ffuf', tries, lost: found.length })
  expect(found).toEqual([])
  expect(control.length).toBeGreaterThan(0)
})

/** The texts at which a server has failed. */
const faultsFound = async (url: string, header: string, folder: string): Promise<readonly unknown[]> => {
  const file = join(folder, 'wfuzz.json')
  const list = `${wordlists}/Injections/All_attack.txt`
  await outputOf(
    'wfuzz',
    ['-z', `file,${list}`, '--sc', '500,501,502,503', '-H', header, '-f', `${file},json`, url],
    folder,
  )
  return JSON.parse(readFileSync(file, 'utf8')) as unknown[]
}

test('I11 P-17 wfuzz finds no text at which the server fails, and finds it where one does', async ({ skip }) => {
  requireProgram('wfuzz', skip)
  await using scanned = await startScanned()
  await using flawed = await startFlawed()
  const { carrel, header, folder, comicId, ebookId } = scanned
  const places = [
    '/api/v1/search?q=FUZZ',
    '/api/v1/search/suggest?q=FUZZ',
    `/api/v1/books/${ebookId}/search?q=FUZZ`,
    '/opds/v1/search?query=FUZZ',
    '/komga/api/v1/series?search_regex=FUZZ,TITLE',
    '/api/v1/books?sort=FUZZ',
    '/api/v1/books?genres=FUZZ',
    '/api/v1/books/FUZZ',
    '/api/v1/series?tags=FUZZ',
    '/api/v1/people/by-name?name=FUZZ',
    '/api/v1/users?q=FUZZ',
    '/api/v1/filesystem/browse?path=FUZZ',
    '/api/v1/reading-stats?timezone=FUZZ',
    '/api/v1/events?types=FUZZ',
    '/api/v1/auth/oidc/FUZZ/login',
    `/api/v1/books/${ebookId}/resources/FUZZ`,
    `/api/v1/books/${comicId}/thumbnail?size=FUZZ`,
    '/opds/v2/letters/FUZZ',
    '/komga/api/v1/series?sort=FUZZ',
    '/komga/api/v2/authors?search=FUZZ',
  ].slice(0, times(5, 20))

  const found: unknown[] = []
  for (const place of places) found.push(...(await faultsFound(carrel.url + place, header, folder)))
  const control = await faultsFound(`${flawed.url}/?q=FUZZ`, header, folder)

  tell({ id: 'I11', what: 'addresses tried by wfuzz with 468 texts', tries: places.length * 468, lost: found.length })
  expect(found).toEqual([])
  expect(control.length).toBeGreaterThan(0)
  expect(carrel.stdout()).not.toContain('Unexpected fault')
})
