import { lazy, type ReactNode, Suspense } from 'react'
import { loadStrings } from '../../text/language.ts'
import type { BookDto } from '@carrel/api'

const PlacementWindow = lazy(async () => {
  const loading = [import('../../features/books/placement-window.tsx'), loadStrings(['books'])] as const
  const [{ PlacementWindow }] = await Promise.all(loading)
  return { default: PlacementWindow }
})

/** Why a book is in its series, for those who may put it elsewhere. */
export const WhyHere = (props: { readonly book: BookDto; readonly onClose: () => void }): ReactNode => (
  <Suspense>
    <PlacementWindow {...props} />
  </Suspense>
)
