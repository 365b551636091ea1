import type { BookDetail } from '@carrel/api'
import { ApiProblem } from '../../api/call.ts'
import { page } from '../../frame/enter.ts'

const flowing: readonly BookDetail['fileFormat'][] = ['epub', 'mobi', 'azw3', 'fb2']

/** Its text has no pages of its own, unless it is made of pictures. */
export const isFlowing = (format: BookDetail['fileFormat']): boolean => flowing.includes(format)

/** It cannot be read: it is damaged, or protected. */
export const isDamaged = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'damaged_file'

/** There is no such thing: if the book itself is there, its file is not. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'not_found'

/** This chunk holds the engine for ebooks, which no other book needs. */
export const EbookPage = page(() => import('./ebook/ebook-page.tsx'), 'EbookPage', ['ebook'])
