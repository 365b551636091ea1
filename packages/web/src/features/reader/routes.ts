import { listPages, readBook, readManifest, readPositions, readReaderSettings } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { deviceId } from '../../api/device.ts'
import { ensure } from '../../api/queries.ts'
import { page } from '../../frame/enter.ts'
import { readerRoot } from '../../frame/reader-root.tsx'
import { wholeNumber, word } from '../../navigation/search-params.ts'
import { EbookPage, isDamaged, isFlowing, isNotFound } from './flowing.ts'

const loadEbooks = async (): Promise<void> => {
  await EbookPage.preload?.()?.catch(() => undefined)
}

/** The page of the book reports what is wrong with it, and offers the file all the same; a missing file has no pages. */
const unlessUnreadable = (error: unknown): [] => {
  if (isDamaged(error) || isNotFound(error)) return []
  throw error
}

const load = async (id: string): Promise<void> => {
  const [{ seriesId, fileFormat }, pages] = await Promise.all([
    ensure(readBook, { params: { id } }),
    ensure(listPages, { params: { id } }).catch(unlessUnreadable),
  ])
  const settings = ensure(readReaderSettings, {
    query: { deviceId: deviceId(), ...(seriesId !== null && { seriesId }) },
  })
  if (pages.length > 0 || !isFlowing(fileFormat)) return void (await settings)
  // The page itself says whether the book can be read at all.
  const text = [ensure(readManifest, { params: { id } }), ensure(readPositions, { params: { id } })]
  await Promise.all([settings, Promise.allSettled(text), loadEbooks()])
}

export const reader = createRoute({
  getParentRoute: () => readerRoot,
  path: '/read/$bookId',
  validateSearch: (search: Record<string, unknown>) => ({
    page: wholeNumber(search.page, 1, 100_000),
    readList: word(search.readList),
    shift: word(search.shift),
    at: word(search.at),
  }),
  loader: ({ params }) => load(params.bookId),
  component: page(() => import('./reader-page.tsx'), 'ReaderPage', ['reader']),
})
