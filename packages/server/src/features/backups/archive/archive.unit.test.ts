import { mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { type ArchiveManifest, parseManifest } from './archive-format.ts'
import { readHead, readPart, requireUnchanged, UnusableArchive } from './archive-reader.ts'
import { writeArchive } from './archive-writer.ts'
import { lineOfRow, linesOf, rowFrom } from './lines.ts'

const about = {
  content: 'rows',
  reason: 'manual',
  createdAt: '2026-11-21T10:00:00.000Z',
  program: '0.1.0',
  schemaVersion: 1,
  tables: {},
  pictures: 0,
} as const satisfies Partial<ArchiveManifest>

let folder = ''
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carrel-archive-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function* inChunks(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += length) yield bytes.subarray(index, index + length)
}

const written = async (contents: readonly Buffer[]): Promise<string> => {
  files += 1
  const file = join(folder, `${files}.zip`)
  const writer = await writeArchive(file)
  for (const [index, content] of contents.entries()) await writer.add(`tables/${index}.jsonl`, inChunks(content, 100))
  await writer.end(about)
  return file
}

const gather = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

/** Another program sees these entries. */
const entriesOf = (bytes: Buffer): Promise<{ name: string; size: number }[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, (error, archive) => {
      if (error) return reject(error)
      const members: { name: string; size: number }[] = []
      archive.on('entry', ({ fileName, uncompressedSize }) => members.push({ name: fileName, size: uncompressedSize }))
      archive.on('end', () => resolve(members))
      archive.on('error', reject)
      return undefined
    })
  })

test('what is put into an archive comes out of it, and other programs find it there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 6 }), async (parts) => {
      const contents = parts.map((part) => Buffer.from(part))
      const file = await written(contents)
      const head = await readHead(file)
      await requireUnchanged(file, head)
      const read = await Promise.all(head.manifest.parts.map((part) => gather(readPart(file, part))))
      expect(read).toEqual(contents)
      const entries = await entriesOf(await readFile(file))
      expect(entries.slice(0, -1)).toEqual(
        contents.map(({ length }, index) => ({ name: `tables/${index}.jsonl`, size: length })),
      )
    }),
    { numRuns: 30 },
  )
})

test('CFG-6 an archive with one bit changed anywhere, or cut off anywhere, is refused', async () => {
  const file = await written([randomBytes(3000), Buffer.alloc(2000, 'text ')])
  const { size } = await stat(file)
  const check = async (): Promise<void> => requireUnchanged(file, await readHead(file))
  await check()
  const handle = await open(file, 'r+')
  const offsets = [
    ...Array.from({ length: 150 }, (_, position) => Math.floor((position * size) / 150)),
    size - 1,
    size - 70,
    size - 130,
  ]
  for (const [index, offset] of offsets.entries()) {
    const byte = Buffer.alloc(1)
    await handle.read(byte, 0, 1, offset)
    const changed = Buffer.from([(byte[0] ?? 0) ^ (1 << (index % 8))])
    await handle.write(changed, 0, 1, offset)
    await expect(check(), `byte ${offset}`).rejects.toThrow(UnusableArchive)
    await handle.write(byte, 0, 1, offset)
  }
  await handle.close()
  await check()
  for (const length of [size - 1, size - 64, size - 200, 1000, 22, 0]) {
    await truncate(file, length)
    await expect(check(), `${length} bytes`).rejects.toThrow(UnusableArchive)
  }
})

test('what is no archive of ours is refused, and one of a later form names the program that made it', async () => {
  const foreign = join(folder, 'foreign.zip')
  await writeFile(foreign, randomBytes(2000))
  await expect(readHead(foreign)).rejects.toThrow('It is no backup of Carrel, or its end is missing.')
  const file = await written([])
  const text = (await readFile(file, 'latin1')).replace('"format": 1,', '"format": 2,')
  await writeFile(file, text, 'latin1')
  await expect(readHead(file)).rejects.toThrow('Carrel 0.1.0 has made it, in a form this one does not know')
  expect(parseManifest('{"product":"other"}')).toBeUndefined()
  expect(parseManifest('{')).toBeUndefined()
})

test('a part that is longer than it says, or another, is not taken', async () => {
  const file = await written([Buffer.alloc(5_000_000)])
  const { manifest } = await readHead(file)
  const [part] = manifest.parts
  if (!part) throw new Error('There is no part')
  await expect(gather(readPart(file, { ...part, size: 1000 }))).rejects.toThrow(UnusableArchive)
  await expect(gather(readPart(file, { ...part, sha256: '0'.repeat(64) }))).rejects.toThrow(UnusableArchive)
  await expect(gather(readPart(file, { ...part, offset: part.offset + 3 }))).rejects.toThrow(UnusableArchive)
  await expect(gather(readPart(file, { ...part, packedSize: part.packedSize - 3 }))).rejects.toThrow(UnusableArchive)
})

const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.maxSafeInteger(),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
)

test('rows are lines and come back as they were, however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(value, { minLength: 3, maxLength: 3 })),
      fc.integer({ min: 1, max: 99 }),
      async (rows, length) => {
        const read: unknown[] = []
        const bytes = Buffer.from(rows.map(lineOfRow).join(''))
        for await (const line of linesOf(inChunks(bytes, length))) read.push(rowFrom(line, 3))
        expect(read).toEqual(rows)
      },
    ),
  )
})

test('lines that are no rows are refused', async () => {
  const readAll = async (text: string): Promise<void> => {
    for await (const line of linesOf(inChunks(Buffer.from(text), 7))) rowFrom(line, 1)
  }
  for (const text of [
    '[1]',
    '[1,2]\n',
    '{}\n',
    '[{}]\n',
    '[true]\n',
    '[[1]]\n',
    '[{"base64":1}]\n',
    'nonsense\n',
    '\n',
  ])
    await expect(readAll(text), `the line ${text}`).rejects.toThrow(UnusableArchive)
  await readAll('[1]\n["x"]\n')
})
