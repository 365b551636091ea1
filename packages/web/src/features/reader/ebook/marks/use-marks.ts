import {
  type AnnotationDto,
  type BookDetail,
  type BookmarkDto,
  createAnnotation,
  createBookmark,
  deleteAnnotation,
  deleteBookmark,
  listAnnotations,
  listBookmarks,
  updateAnnotation,
} from '@carrel/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../../api/call.ts'
import { invalidate, useLater } from '../../../../api/queries.ts'
import { useProblemText } from '../../../../text/problem-text.ts'
import type { BookMap } from '../../../../reader/ebook/book-map.ts'
import { locatorOf, type EbookLocation, locationOf } from '../../../../reader/ebook/ebook-locator.ts'
import { toast } from '../../../../ui/state/toasts.tsx'

/** It is a mark in the text, with its location in this file of the book. */
export interface Highlight extends AnnotationDto {
  readonly location: EbookLocation
}

export interface Bookmark extends BookmarkDto {
  readonly location: EbookLocation
}

export const colours = { yellow: '#f2b600', green: '#38a169', blue: '#3182ce', pink: '#d53f8c' } as const
export type ColourName = keyof typeof colours
export const colourNames = Object.keys(colours) as ColourName[]

/** Other apps store names of colours; an unknown name is shown as yellow. */
export const shownColour = (colour: string): string =>
  colour.startsWith('#') ? colour : colours[colourNames.find((name) => name === colour) ?? 'yellow']

/** The page is large enough for all marks of a book, except in a few cases that nobody has. */
const pageSize = 500

export type Marks = ReturnType<typeof useMarks>

/** It holds the marks and notes in the book. Each change is reported, and can be undone. */
export const useMarks = ({ id }: BookDetail, map: BookMap) => {
  const { t } = useTranslation('ebook')
  const textOf = useProblemText()
  const input = { params: { id }, query: { pageSize } }
  const annotations = useLater(listAnnotations, input).data?.data
  const bookmarked = useLater(listBookmarks, input).data?.data
  const highlights = useMemo(() => (annotations ?? []).flatMap((each) => highlightOf(map, each)), [annotations, map])
  const bookmarks = useMemo(() => (bookmarked ?? []).flatMap((each) => bookmarkOf(map, each)), [bookmarked, map])
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
    await invalidate(listAnnotations, listBookmarks)
  }
  const params = { id }

  const unmark = (annotation: AnnotationDto): Promise<void> =>
    attempt(async () => {
      await call(deleteAnnotation, { params: { id, annotationId: annotation.id } })
      const { locator, quote, before, after, colour, note } = annotation
      const body = { locator, quote, before, after, colour, note }
      toast({ text: t('marks.removed'), undo: () => void attempt(() => call(createAnnotation, { params, body })) })
    })
  const takeOut = (bookmark: BookmarkDto): Promise<void> =>
    attempt(async () => {
      await call(deleteBookmark, { params: { id, bookmarkId: bookmark.id } })
      const body = { locator: bookmark.locator, note: bookmark.note }
      toast({ text: t('marks.takenOut'), undo: () => void attempt(() => call(createBookmark, { params, body })) })
    })
  return {
    highlights,
    bookmarks,
    unmark,
    takeOut,
    mark: async (location: EbookLocation, colour: ColourName, title?: string): Promise<AnnotationDto | undefined> => {
      const { match: quote = '', before = '', after = '' } = location.quote ?? {}
      const locator = locatorOf(map, { index: location.index, fraction: location.fraction, cfi: location.cfi }, title)
      let made: AnnotationDto | undefined
      await attempt(async () => {
        made = (await call(createAnnotation, { params, body: { locator, quote, before, after, colour } })).body
        const { id: annotationId } = made
        const undo = (): void => void attempt(() => call(deleteAnnotation, { params: { id, annotationId } }))
        toast({ text: t('marks.marked'), undo })
      })
      return made
    },
    change: (annotation: AnnotationDto, body: { readonly colour?: ColourName; readonly note?: string }): void =>
      void attempt(() => call(updateAnnotation, { params: { id, annotationId: annotation.id }, body })),
    putIn: (location: EbookLocation, title?: string): void =>
      void attempt(async () => {
        const locator = locatorOf(map, location, title)
        const { body } = await call(createBookmark, { params, body: { locator, note: '' } })
        toast({
          text: t('marks.putIn'),
          undo: () => void attempt(() => call(deleteBookmark, { params: { id, bookmarkId: body.id } })),
        })
      }),
  }
}

const bookmarkOf = (map: BookMap, bookmark: BookmarkDto): Bookmark[] => {
  const location = locationOf(map, bookmark.locator)
  return location ? [{ ...bookmark, location }] : []
}

const highlightOf = (map: BookMap, annotation: AnnotationDto): Highlight[] => {
  const location = locationOf(map, annotation.locator)
  const { quote, before, after } = annotation
  return location
    ? [{ ...annotation, location: { ...location, quote: quote === '' ? undefined : { match: quote, before, after } } }]
    : []
}
