import { expect, test } from 'vitest'
import type { Analysed, AnalyseInput } from '../../../decoders/analyse.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { BookFault } from '../../../formats/book-format.ts'
import { analyseFiles, type Reader } from './analyse-files.ts'

const fileAt = (path: string) => ({
  rootPath: '/',
  path,
  isFolder: false,
  size: 1,
  modifiedUs: 0,
  changedUs: 0,
  seenAt: 0,
})

/** Reads whatever it is given but `/kills`, which ends it, and `/hangs`, for which it is ended; tells of each, or of all at the end as long as it lives. */
const decoders = (): Decoders & { readonly read: string[] } => {
  const read: string[] = []
  const run = async (
    { files, tellsEach }: AnalyseInput,
    { onPart }: { onPart?: (parts: readonly Analysed[]) => void },
  ) => {
    const untold: Analysed[] = []
    for (const [index, { path }] of files.entries()) {
      read.push(path)
      if (path === '/kills') throw new BookFault('crashed', 'It has ended.')
      if (path === '/hangs') throw new BookFault('timeout', 'It took too long.')
      untold.push({ index, isUnsettled: true })
      if (tellsEach) onPart?.(untold.splice(0))
    }
    onPart?.(untold)
    return { done: files.length }
  }
  return {
    read,
    size: 1,
    run: ((_: string, input: AnalyseInput, options: Parameters<typeof run>[1]) =>
      run(input, options)) as unknown as Decoders['run'],
    close: () => Promise.resolve(),
  }
}

const readerWith = <Each extends Decoders>(decoders: Each, isThere: Reader['isThere']) => ({
  decoders,
  cacheDir: '',
  settleMs: 0,
  signal: new AbortController().signal,
  isThere,
})

test('T-03: a file that ends its decoder is told from those before it, of which nothing was heard, and those after it', async () => {
  const reader = readerWith(decoders(), async () => true)
  const paths = ['/a', '/b', '/kills', '/c', '/d']

  const results = await analyseFiles(reader, paths.map(fileAt))

  const fault = { fault: { code: 'crashed', message: 'It has ended.' } }
  expect(results).toEqual([
    { isUnsettled: true },
    { isUnsettled: true },
    fault,
    { isUnsettled: true },
    { isUnsettled: true },
  ])
  expect(reader.decoders.read).toEqual(['/a', '/b', '/kills', '/a', '/b', '/kills', '/c', '/d'])
})

test('LIB-7 W14 of storage that is away nothing is read, and no file is blamed for what it could not answer', async () => {
  const answersOf = async (answers: readonly boolean[], paths: readonly string[]) => {
    const left = [...answers]
    const reader = readerWith(decoders(), async () => left.shift() ?? false)
    return { results: await analyseFiles(reader, paths.map(fileAt)), read: reader.decoders.read }
  }
  const unread = { isUnsettled: true }

  expect(await answersOf([false], ['/a', '/b'])).toEqual({ results: [unread, unread], read: [] })
  const away = await answersOf([true, false], ['/a', '/hangs', '/b'])
  expect(away).toEqual({ results: [unread, unread, unread], read: ['/a', '/hangs'] })
  const fault = { fault: { code: 'timeout', message: 'It took too long.' } }
  const slow = await answersOf([true, true, true, true], ['/a', '/hangs', '/b'])
  expect(slow.results).toEqual([unread, fault, unread])
})

test('LIB-7 W14 of storage that has gone away in the middle what was read holds, and what could not be is no fault', async () => {
  const results: Analysed[] = [
    { index: 0, fault: { code: 'unreadable', message: 'It cannot be read (ENOTCONN).' } },
    { index: 1, fault: { code: 'damaged', message: 'It is damaged.' } },
  ]
  const run = async (_: string, __: AnalyseInput, { onPart }: { onPart: (parts: readonly Analysed[]) => void }) => {
    onPart(results)
    return { done: 2 }
  }
  const asDecoders = { size: 1, run: run as unknown as Decoders['run'], close: () => Promise.resolve() }
  const answers = [true, false]
  const reader = readerWith(asDecoders, async () => answers.shift() ?? false)

  expect(await analyseFiles(reader, ['/a', '/b'].map(fileAt))).toEqual([
    { isUnsettled: true },
    { fault: { code: 'damaged', message: 'It is damaged.' } },
  ])
})
