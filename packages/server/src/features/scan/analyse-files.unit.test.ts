import { expect, test } from 'vitest'
import type { Analysed, AnalyseInput } from '../../decoders/analyse.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'
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

/** Reads whatever it is given but `/kills`, which ends it; tells of each, or of all at the end as long as it lives. */
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
