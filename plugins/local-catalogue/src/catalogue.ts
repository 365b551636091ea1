import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Log, PluginError, plainTitle, trigramsOf } from '@carrel/plugin-sdk'
import { type Entry, knownColumns, plainIsbn, readEntry } from './entry.ts'
import { BrokenFile, csvFields, csvSplitter, delimiterOf, jsonSplitter, type Row, rowsOf } from './records.ts'

const fileBytesMax = 1_073_741_824
/** The limit fits into the 256 MiB a host gives a plugin: a hundred thousand rows take 50 MB. */
const rowsMax = 200_000
/** The log names this many of the skipped rows one by one. */
const toldMax = 20
const titlesMax = 8

/** Turns the bytes of a row into what it says. */
type Reader = (text: string) => Readonly<Record<string, unknown>>

/** It holds where the rows stand and what they are found by. Their content stays in the file. */
export interface Catalogue {
  readonly path: string
  readonly version: string
  readonly read: Reader
  readonly offsets: number[]
  readonly lengths: number[]
  readonly types: ('series' | 'book')[]
  /** Each title of each row, plain. */
  readonly titles: string[]
  readonly rowOfTitle: number[]
  readonly trigrams: Map<string, number[]>
  readonly sizes: number[]
  readonly byId: Map<string, number>
  readonly byIsbn: Map<string, number>
}

/** It reads the whole file once, in pieces: other calls are answered in between. */
export const openCatalogue = async (path: string, log: Log): Promise<Catalogue> => {
  try {
    const version = await versionOf(path)
    return await index(path, version, log)
  } catch (error) {
    throw new PluginError('config_error', sentenceFor(path, error), undefined, { cause: error })
  }
}

/** It changes when the file does. */
export const versionOf = async (path: string): Promise<string> => {
  const { size, mtimeMs, ino } = await stat(path)
  if (size > fileBytesMax) throw new BrokenFile(`has ${size} bytes; ${fileBytesMax} are read`)
  return `${ino}:${size}:${mtimeMs}`
}

const sentenceFor = (path: string, error: unknown): string => {
  if (error instanceof BrokenFile) return `The catalogue ${path} ${error.message}.`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const why: Readonly<Record<string, string>> = {
    ENOENT: 'does not exist',
    EACCES: 'may not be read by the server',
    EISDIR: 'is a folder',
    ERR_ACCESS_DENIED: 'is outside of what this plugin may read',
  }
  return `The catalogue ${path} ${why[code] ?? `cannot be read (${error instanceof Error ? error.message : String(error)})`}.`
}

const index = async (path: string, version: string, log: Log): Promise<Catalogue> => {
  const isCsv = ['.csv', '.tsv', '.txt'].includes(extname(path).toLowerCase())
  const rows = rowsOf(createReadStream(path), isCsv ? csvSplitter() : jsonSplitter())
  const catalogue: Catalogue = {
    path,
    version,
    read: isCsv ? csvReader(await rows.next()) : readJson,
    offsets: [],
    lengths: [],
    types: [],
    titles: [],
    rowOfTitle: [],
    trigrams: new Map(),
    sizes: [],
    byId: new Map(),
    byIsbn: new Map(),
  }
  let passedOver = 0
  for await (const row of rows) {
    if (catalogue.offsets.length >= rowsMax) throw new BrokenFile(`has more than ${rowsMax} rows`)
    const why = take(catalogue, row)
    if (why === undefined) continue
    passedOver += 1
    if (passedOver <= toldMax) log.warn(`${path}: row ${isCsv ? row.number - 1 : row.number} was passed over: ${why}.`)
  }
  if (catalogue.offsets.length === 0) throw new BrokenFile('has no row with a title')
  log.info(`${path}: ${catalogue.offsets.length} rows, ${passedOver} passed over.`)
  return catalogue
}

/** It takes a row into the index, or says why not. */
const take = (catalogue: Catalogue, { offset, bytes }: Row): string | undefined => {
  const entry = entryIn(catalogue.read, bytes)
  if (typeof entry === 'string') return entry
  if (catalogue.byId.has(entry.id)) return `another row has the id "${entry.id}"`
  const row = catalogue.offsets.push(offset) - 1
  catalogue.lengths.push(bytes.length)
  catalogue.types.push(entry.type)
  // A copy: part of a line would keep the whole of it.
  catalogue.byId.set(Buffer.from(entry.id).toString(), row)
  for (const isbn of entry.isbns) catalogue.byIsbn.set(isbn, row)
  const titles = new Set([entry.title, ...entry.alternateTitles].slice(0, titlesMax).map(plainTitle))
  for (const title of titles) if (title !== '') addTitle(catalogue, title, row)
  return undefined
}

const addTitle = (catalogue: Catalogue, title: string, row: number): void => {
  const index = catalogue.titles.push(title) - 1
  catalogue.rowOfTitle.push(row)
  const trigrams = trigramsOf(title)
  catalogue.sizes.push(trigrams.size)
  for (const trigram of trigrams) {
    const indexes = catalogue.trigrams.get(trigram)
    if (indexes) indexes.push(index)
    else catalogue.trigrams.set(trigram, [index])
  }
}

const readJson: Reader = (text) => JSON.parse(text) as Readonly<Record<string, unknown>>

const csvReader = (first: IteratorResult<Row>): Reader => {
  if (first.done === true) throw new BrokenFile('is empty')
  const header = first.value.bytes.toString('utf8').replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(header)
  const columns = csvFields(header, delimiter).map(columnOf)
  if (!columns.includes('title')) {
    throw new BrokenFile(
      `has no column "title" in its first line: it has ${columns.map((name) => `"${name}"`).join(', ')}`,
    )
  }
  return (line) => {
    const fields = csvFields(line, delimiter)
    return Object.fromEntries(columns.map((column, at) => [column, fields[at]]))
  }
}

/** "Alternate titles", "alternate_titles" and "alternateTitles" are one column. */
const columnOf = (name: string): string => {
  const plain = plainColumn(name)
  return knownColumns.find((value) => plainColumn(value) === plain) ?? name
}
const plainColumn = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

export const findById = (catalogue: Catalogue, id: string, type: Entry['type']): number | undefined => {
  const row = catalogue.byId.get(id)
  return row !== undefined && catalogue.types[row] === type ? row : undefined
}

export const findByIsbn = (catalogue: Catalogue, isbn: string): number | undefined =>
  catalogue.byIsbn.get(plainIsbn(isbn))

/** The rows whose titles share most with this one, best first. */
export const findByTitle = (
  { trigrams, titles, sizes, rowOfTitle, types }: Catalogue,
  title: string,
  type: Entry['type'],
  limit: number,
): { readonly row: number; readonly likeness: number }[] => {
  const plain = plainTitle(title)
  const sought = trigramsOf(plain)
  const shared = new Map<number, number>()
  for (const trigram of sought) {
    for (const index of trigrams.get(trigram) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1)
  }
  const best = new Map<number, number>()
  for (const [index, count] of shared) {
    const row = rowOfTitle[index] ?? 0
    const likeness = titles[index] === plain ? 1 : (2 * count) / (sought.size + (sizes[index] ?? 0))
    if (types[row] === type && likeness > (best.get(row) ?? likenessMin)) best.set(row, likeness)
  }
  return [...best]
    .map(([row, likeness]) => ({ row, likeness }))
    .toSorted((a, b) => b.likeness - a.likeness || a.row - b.row)
    .slice(0, limit)
}

const likenessMin = 0.2

/** The rows are read from the file again. */
export const readRows = async (catalogue: Catalogue, rows: readonly number[]): Promise<Entry[]> => {
  await using file = await open(catalogue.path, 'r')
  const entries: Entry[] = []
  for (const row of rows) entries.push(await readRow(file, catalogue, row))
  return entries
}

const readRow = async (file: FileHandle, { read, offsets, lengths }: Catalogue, row: number): Promise<Entry> => {
  const bytes = Buffer.alloc(lengths[row] ?? 0)
  await file.read(bytes, 0, bytes.length, offsets[row] ?? 0)
  const entry = entryIn(read, bytes)
  if (typeof entry === 'string') throw new PluginError('api_error', 'The catalogue has just changed; ask again.')
  return entry
}

const entryIn = (read: Reader, bytes: Buffer): Entry | string => {
  try {
    return readEntry(read(bytes.toString('utf8')))
  } catch {
    return 'it is not JSON'
  }
}
