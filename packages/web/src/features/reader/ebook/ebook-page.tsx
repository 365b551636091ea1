import { type BookDetail, type Locator, type Manifest, readProgression, type ReadiumLocator } from '@carrel/api'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/call.ts'
import { useMay, useMe } from '../../../session/me.ts'
import { type BookMap, bookMapOf, progressAt, sectionAt } from '../../../reader/ebook/book-map.ts'
import { type EbookLocation, locationOf } from '../../../reader/ebook/ebook-locator.ts'
import { sendSessions } from '../progress/sending.ts'
import { EbookReader } from './ebook-reader.tsx'
import { useRequestedPosition } from './ebook-address.ts'

interface EbookPageProps {
  readonly book: BookDetail
  readonly manifest: Manifest
  readonly positions: readonly Locator[]
}

/** A book whose text flows, opened where one was in it. */
export const EbookPage = ({ book, manifest, positions }: EbookPageProps): ReactNode => {
  const [map] = useState(() => bookMapOf(manifest, positions))
  const standing = useStanding(book.id)
  const requested = useRequestedPosition()
  const [start] = useState(() => startOf(map, standing, requested))
  const isRightToLeft = manifest.metadata.readingProgression === 'rtl'
  return <EbookReader book={book} map={map} isRightToLeft={isRightToLeft} {...start} />
}

/** An address states the position no more exactly than this. */
const addressPrecision = 0.000_06

const startOf = (
  map: BookMap,
  standing: ReadiumLocator | null,
  requested: number | undefined,
): { readonly start: EbookLocation; readonly isByAddress: boolean } => {
  const location = standing === null ? undefined : locationOf(map, standing)
  const far = location ? progressAt(map, location.index, location.fraction).totalProgression : 0
  // The address follows the reading: where it says the same, what is remembered says it more exactly.
  if (requested !== undefined && Math.abs(requested - far) > addressPrecision)
    return { start: sectionAt(map, requested), isByAddress: true }
  const isRead = (standing?.locations?.totalProgression ?? far) > 0.995
  const start = location && (!isRead || requested !== undefined) ? location : sectionAt(map, 0)
  return { start, isByAddress: requested !== undefined }
}

/** The position is read again each time: what this device had not sent yet counts too. */
const useStanding = (bookId: string): ReadiumLocator | null => {
  const { id: userId } = useMe()
  const mayRead = useMay('progress:read')
  const { data } = useSuspenseQuery({
    queryKey: ['where to begin the text', bookId] as const,
    queryFn: async () => {
      if (!mayRead) return null
      await sendSessions(userId).catch(() => undefined)
      const { body } = await call(readProgression, { params: { id: bookId } })
      return body?.locator ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data
}
