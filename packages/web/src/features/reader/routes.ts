import { listPages, readBook, readReaderSettings } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { deviceId } from '../../api/device.ts'
import { ensure } from '../../api/queries.ts'
import { page, readerRoot } from '../../layouts.tsx'
import { wholeNumber, word } from '../../search-params.ts'

const load = async (id: string): Promise<void> => {
  const [{ seriesId }] = await Promise.all([
    ensure(readBook, { params: { id } }),
    ensure(listPages, { params: { id } }),
  ])
  await ensure(readReaderSettings, { query: { deviceId: deviceId(), seriesId } })
}

export const reader = createRoute({
  getParentRoute: () => readerRoot,
  path: '/read/$bookId',
  validateSearch: (search: Record<string, unknown>) => ({
    page: wholeNumber(search.page, 1, 100_000),
    readList: word(search.readList),
    shift: word(search.shift),
  }),
  loader: ({ params }) => load(params.bookId),
  component: page(() => import('./reader-page.tsx'), 'ReaderPage', ['reader']),
})
