import { type BookDetail, createBookmark, deleteBookmark, listBookmarks, type PageDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { invalidate, useLater } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { toast } from '../../../ui/state/toasts.tsx'

/** The page is large enough for all bookmarks of a book, except in a few cases that nobody has. */
const pageSize = 500

/** The bookmarks of a book of pages, and the way to put one in or take it out. */
export const usePageBookmark = ({ id }: BookDetail, pages: readonly PageDto[], shown: readonly number[]) => {
  const { t } = useTranslation('reader')
  const textOf = useProblemText()
  const bookmarks = useLater(listBookmarks, { params: { id }, query: { pageSize } }).data?.data ?? []
  const pageOf = (bookmark: (typeof bookmarks)[number]): number | undefined => bookmark.locator.locations?.position
  const here = bookmarks.find((each) => shown.includes(pageOf(each) ?? 0))
  const [page = 1] = shown
  const params = { id }
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(listBookmarks)
  }
  const putIn = (): Promise<void> =>
    attempt(async () => {
      const { fileName = '', mediaType = 'image/jpeg' } = pages[page - 1] ?? {}
      const totalProgression = (page - 1) / Math.max(1, pages.length)
      const locations = { position: page, progression: totalProgression, totalProgression }
      const body = { locator: { href: fileName, type: mediaType, locations }, note: '' }
      const { body: made } = await call(createBookmark, { params, body })
      const undo = (): void => void attempt(() => call(deleteBookmark, { params: { ...params, bookmarkId: made.id } }))
      toast({ text: t('bookmark.putIn', { page }), undo })
    })
  const takeOut = (bookmark: (typeof bookmarks)[number]): Promise<void> =>
    attempt(async () => {
      await call(deleteBookmark, { params: { ...params, bookmarkId: bookmark.id } })
      const body = { locator: bookmark.locator, note: bookmark.note }
      toast({ text: t('bookmark.takenOut'), undo: () => void attempt(() => call(createBookmark, { params, body })) })
    })
  return {
    isHere: here !== undefined,
    /** Pages with a bookmark. */
    pages: new Set(bookmarks.flatMap((each) => pageOf(each) ?? [])) as ReadonlySet<number>,
    toggle: (): void => void (here === undefined ? putIn() : takeOut(here)),
  }
}

export type PageBookmark = ReturnType<typeof usePageBookmark>
