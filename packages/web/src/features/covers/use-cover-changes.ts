import { type CoverDto, listBooksByCondition, listSeriesByCondition, readBook, readSeries } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { Covered } from './covered.ts'

export interface CoverChanges {
  readonly isUploading: boolean
  upload(picture: Blob): void
  fromPage(page: number, bookId: string): void
  /** `undefined`: as the book says. */
  select(cover: CoverDto | undefined, before: CoverDto | undefined): void
  remove(cover: CoverDto, selected: CoverDto | undefined): void
}

const largestBytes = 10 * 1024 * 1024

/** Changes that can be undone offer it. */
export const useCoverChanges = (of: Covered, id: string): CoverChanges => {
  const { t } = useTranslation('covers')
  const textOf = useProblemText()
  const invalidates = [of.list, readSeries, readBook, listSeriesByCondition, listBooksByCondition]
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const uploading = useChange(of.upload, { invalidates })
  const taking = useChange(of.fromPage, { invalidates })
  const selecting = useChange(of.select, { invalidates })
  const unselecting = useChange(of.unselect, { invalidates })
  const removing = useChange(of.remove, { invalidates })
  const choose = (cover: CoverDto | undefined, onSuccess: () => void): void => {
    if (cover) selecting.mutate({ params: { id, coverId: cover.id } }, { onError, onSuccess })
    else unselecting.mutate({ params: { id } }, { onError, onSuccess })
  }
  const quietly = (): void => undefined
  return {
    isUploading: uploading.isPending,
    upload: (picture) => {
      if (picture.size > largestBytes) return toast({ kind: 'problem', text: t('tooLarge') })
      void picture
        .arrayBuffer()
        .then((bytes) =>
          uploading.mutate(
            { params: { id }, body: new Uint8Array(bytes) },
            { onError, onSuccess: () => toast({ text: t('uploaded') }) },
          ),
        )
    },
    fromPage: (page, bookId) =>
      taking.mutate(
        { params: { id }, body: { page, bookId } },
        { onError, onSuccess: () => toast({ text: t('pageTaken', { page }) }) },
      ),
    select: (cover, before) => choose(cover, () => toast({ text: t('selected'), undo: () => choose(before, quietly) })),
    remove: (cover, selected) => {
      const { source, page } = cover
      // A page can be taken again; which book it was of is known only where there is just the one.
      const isBack = source === 'page' && page !== null && of.kind === 'book'
      const undo = (): void =>
        taking.mutate(
          { params: { id }, body: { page: page ?? 1 } },
          { onError, onSuccess: () => (cover.isSelected ? undefined : choose(selected, quietly)) },
        )
      removing.mutate(
        { params: { id, coverId: cover.id } },
        { onError, onSuccess: () => toast({ text: t('removed'), ...(isBack && { undo }) }) },
      )
    },
  }
}
