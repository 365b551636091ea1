import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { latestVersion } from '../packages/server/src/database/migrate.ts'
import { zip } from '../packages/server/test/books/zip.ts'
import { seed } from '../packages/server/test/seed.ts'
import { callsOfFile } from '../packages/server/test/smoke/calls.ts'
import { testPassword } from '../packages/server/test/smoke/carrel.ts'
import { randomFrom } from '../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'

const call = callsOfFile()
console.log(`What is changed comes from SEED=${seed}`)

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** All files below a folder, with what is in them, but for those that whoever opens a database makes and removes. */
const allOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile() && !/-shm$|-wal$|\.lock$/.test(name))
      .map((name) => [name, digestOf(join(folder, name))]),
  )

/** A manifest as ours, with whatever is said of its parts. */
const manifest = (more: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      product: 'carrel',
      format: 1,
      content: 'sqlite',
      reason: 'manual',
      createdAt: '2026-11-28T00:00:00.000Z',
      program: '0.1.0',
      schemaVersion: latestVersion,
      tables: {},
      pictures: 0,
      parts: [],
      ...more,
    }),
  )

/** An archive with the trailer of ours, whose digest is right: only what is in it is wrong. */
const withTrailer = (members: readonly { readonly name: string; readonly bytes: Buffer }[]): Buffer => {
  const plain = zip(members.map(({ name, bytes }) => ({ name, bytes, method: 'stored' as const })))
  const text = members.at(-1)?.bytes ?? Buffer.alloc(0)
  const offset = plain.lastIndexOf(text, plain.length - 1)
  const digits = (value: number): string => String(value).padStart(16, '0')
  const head = Buffer.from(`carrel manifest=${digits(offset)}+${digits(text.length)} sha256=`)
  const comment = head.length + 64
  const body = Buffer.from(plain)
  body.writeUInt16LE(comment, body.length - 2)
  const covered = Buffer.concat([body, head])
  return Buffer.concat([covered, Buffer.from(createHash('sha256').update(covered).digest('hex'))])
}

const foreignDatabase = (file: string): Buffer => {
  const database = new Sqlite(file)
  database.exec('create table series (id text); insert into series values (1)')
  database.close()
  return readFileSync(file)
}

const zeros = Buffer.alloc(8 * 1024 * 1024)

test('H3 P-15 no archive that is not whole and ours is restored, and the database is the same to the last byte', async () => {
  const random = randomFrom(seed)
  await using folder = await temporaryFolder()
  await using temporary = await temporaryFolder()
  const cwd = folder.path
  const data = join(cwd, 'data')
  await call(['user', 'add', 'ana', '--role', 'admin'], { cwd, input: testPassword })
  const good = join(temporary.path, 'good.zip')
  expect(await call(['backup', '--to', good], { cwd })).toMatchObject({ code: 0 })
  const bytes = readFileSync(good)
  const flipped = (): Buffer => {
    const changed = Buffer.from(bytes)
    const at = Math.floor(random() * changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return changed
  }
  const part = (more: object) => ({
    name: 'carrel.db',
    offset: 40,
    packedSize: 10,
    size: 10,
    sha256: '0'.repeat(64),
    ...more,
  })
  const hostile: [string, Buffer][] = [
    ...Array.from({ length: times(10, 200, 50) }, (_, index): [string, Buffer] => [
      `a flipped bit ${index}`,
      flipped(),
    ]),
    ...Array.from({ length: times(6, 60, 20) }, (_, index): [string, Buffer] => [
      `cut off ${index}`,
      bytes.subarray(0, Math.floor(random() * bytes.length)),
    ]),
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not a backup')],
    ['a comic', zip([{ name: '001.jpg', bytes: Buffer.from('picture'), method: 'stored' }])],
    ['a database of something else', foreignDatabase(join(temporary.path, 'foreign.db'))],
    [
      'a name that leads out',
      withTrailer([
        { name: '../../evil', bytes: Buffer.from('x') },
        { name: 'manifest.json', bytes: manifest({ parts: [part({ name: '../../evil' })] }) },
      ]),
    ],
    [
      'a part that is not there',
      withTrailer([{ name: 'manifest.json', bytes: manifest({ parts: [part({ offset: 1e12 })] }) }]),
    ],
    [
      'a bomb',
      withTrailer([
        { name: 'carrel.db', bytes: deflateRawSync(zeros) },
        { name: 'manifest.json', bytes: manifest({ parts: [part({ packedSize: 8000, size: 1e12 })] }) },
      ]),
    ],
    ['a later form', withTrailer([{ name: 'manifest.json', bytes: manifest({ format: 99 }) }])],
    [
      'a newer program',
      withTrailer([{ name: 'manifest.json', bytes: manifest({ schemaVersion: 9999, program: '9.0.0' }) }]),
    ],
    ['another product', withTrailer([{ name: 'manifest.json', bytes: manifest({ product: 'other' }) }])],
  ]
  const before = allOf(data)
  const taken: string[] = []
  const touched: string[] = []
  for (const [what, archive] of hostile) {
    const file = join(temporary.path, 'hostile.zip')
    writeFileSync(file, archive)
    for (const command of [
      ['restore', file],
      ['restore', '--verify-only', file],
      ['import', file, '--replace'],
    ]) {
      const { code, stderr } = await call(command, { cwd })
      if (code === 0) taken.push(`${what}: ${command[0]}`)
      expect([what, [1, 3, 7]]).toEqual([what, expect.arrayContaining([code])])
      expect([what, stderr]).toEqual([what, expect.stringMatching(/nothing was changed\.\n$/i)])
    }
    if (JSON.stringify(allOf(data)) !== JSON.stringify(before)) touched.push(what)
    expect(readdirSync(join(temporary.path, '..')).filter((name) => name === 'evil')).toEqual([])
  }
  tell({
    id: 'H3',
    what: 'archives that are not whole or not ours',
    tries: hostile.length,
    lost: taken.length + touched.length,
  })
  expect(taken).toEqual([])
  expect(touched).toEqual([])

  // The whole one is taken, or this would show nothing.
  cpSync(good, join(temporary.path, 'again.zip'))
  expect(await call(['restore', join(temporary.path, 'again.zip')], { cwd })).toMatchObject({ code: 0 })
})
