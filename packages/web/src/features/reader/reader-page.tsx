import { type BookDetail, listPages, readBook, readManifest, readPositions, readProgress } from '@carrel/api'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { call } from '../../api/call.ts'
import { useLater, useRead } from '../../api/queries.ts'
import { directionOfBook } from '../../reader/page-layout.ts'
import { useMay, useMe } from '../../session/me.ts'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EbookPage, isDamaged, isFlowing } from './flowing.ts'
import { NoPages } from './no-pages.tsx'
import { Reader } from './reader.tsx'
import { sendSessions } from './progress/sending.ts'
import type { OpenBook } from './pages/use-reading.ts'
import { useReaderSearch } from './progress/use-reader-search.ts'

/** A book, to be read: pictures page by page, as CBZ, PDF and the like have them, or text. */
export const ReaderPage = (): ReactNode => {
  const { bookId = '' } = useParams({ strict: false })
  const book = useRead(readBook, { params: { id: bookId } })
  const { data: pages, error } = useLater(listPages, { params: { id: bookId } }, { enabled: !book.deleted })
  if (book.deleted || isDamaged(error)) return <NoPages book={book} />
  if (!pages) return <NotYet problem={error} />
  if (pages.length === 0)
    return isFlowing(book.fileFormat) ? <Text key={bookId} book={book} /> : <NoPages book={book} />
  return <BookAtPosition key={bookId} book={book} pages={pages} />
}

const Text = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const input = { params: { id: book.id } }
  const [manifest, positions] = [useLater(readManifest, input), useLater(readPositions, input)]
  const problem = manifest.error ?? positions.error
  if (isDamaged(problem)) return <NoPages book={book} />
  if (!manifest.data || !positions.data) return <NotYet problem={problem} />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <EbookPage book={book} manifest={manifest.data} positions={positions.data.positions} />
    </Suspense>
  )
}

/** What is open stays open when it is read again in vain: without a connection, or when the session has ended. */
const NotYet = ({ problem }: { readonly problem: Error | null }): ReactNode => {
  if (problem) throw problem
  return <PageSkeleton />
}

type OpenBookProps = Pick<OpenBook, 'book' | 'pages'>

const BookAtPosition = ({ book, pages }: OpenBookProps): ReactNode => {
  const { page } = useReaderSearch()
  // The address follows the reading: only how it was opened counts.
  const [isByAddress] = useState(page !== undefined)
  const standing = useStanding(book.id, pages.length)
  const readingDirection = directionOfBook(book.readingDirection, pages)
  return (
    <Reader
      book={readingDirection === book.readingDirection ? book : { ...book, readingDirection }}
      pages={pages}
      startPage={startPage(page ?? standing, pages.length)}
      isByAddress={isByAddress}
    />
  )
}

const startPage = (page: number, pageCount: number): number => Math.min(Math.max(1, page), pageCount)

/** The position is read again each time: what this device had not sent yet counts too. A finished book begins again. */
const useStanding = (bookId: string, pageCount: number): number => {
  const { id: userId } = useMe()
  const mayRead = useMay('progress:read')
  const { data } = useSuspenseQuery({
    queryKey: ['where to begin', bookId] as const,
    queryFn: async () => {
      if (!mayRead) return 1
      await sendSessions(userId).catch(() => undefined)
      const { body } = await call(readProgress, { params: { id: bookId } })
      const isRead = body?.completed === true && body.currentPage >= pageCount
      return body === undefined || isRead ? 1 : body.currentPage
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data
}
