import type { BookDetail } from '@carrel/api'
import { page } from '../../layouts.tsx'

const flowing: readonly BookDetail['fileFormat'][] = ['epub', 'mobi', 'azw3', 'fb2']

/** Its text has no pages of its own, unless it is made of pictures. */
export const isFlowing = (format: BookDetail['fileFormat']): boolean => flowing.includes(format)

/** With the engine for ebooks, which only they need. */
export const EbookPage = page(() => import('./ebook/ebook-page.tsx'), 'EbookPage', ['ebook'])
