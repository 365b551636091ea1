import { opdsTypes } from '@carrel/api/doors'
import type { OfferedFile } from '../book-files.ts'
import { fileAddress, hrefOf, mediaAddress, type FeedContext, type Publication } from '../feed.ts'
import { isOffered } from '../offering.ts'

interface WayToGet {
  readonly href: string
  readonly type: string
  readonly title: string
  readonly size?: number | undefined
  /** It is only a sample of the book. */
  readonly isSample?: true
}

const otherFormats = ({ book, otherFiles }: Publication, feedContext: FeedContext): readonly WayToGet[] =>
  otherFiles
    .map((file) => ({
      href: `${fileAddress(feedContext, book.id, file)}?file=${file.id}`,
      type: file.mediaType,
      title: file.label,
      ...sizeOf(file, feedContext),
    }))
    .filter(({ href }) => isOffered(feedContext, href))

/** A size that turns out to be another one breaks downloads off. */
const sizeOf = ({ size }: OfferedFile, { embedsMetadata }: FeedContext): Pick<WayToGet, 'size'> =>
  size === null || embedsMetadata ? {} : { size }

/**
 * A book is available as its file, or page by page for users who may fetch no files. Every publication must have some
 * acquisition link, so one of which nothing is available links to its cover.
 */
export const waysToGet = (publication: Publication, feedContext: FeedContext): readonly WayToGet[] => {
  const { book, file, hasPages, hasParts } = publication
  const { say } = feedContext.texts
  const manifest = hrefOf(feedContext, 'v2', { path: `/books/${book.id}/manifest` })
  const ways: (WayToGet | false)[] = [
    file !== null && {
      href: fileAddress(feedContext, book.id, file),
      type: file.mediaType,
      title: file.label,
      ...sizeOf(file, feedContext),
    },
    hasPages && { href: `${manifest}/divina`, type: opdsTypes.divina, title: say('way.pages') },
    hasParts && { href: manifest, type: opdsTypes.webPublication, title: say('way.text') },
  ]
  const way = ways.find((each) => each !== false && isOffered(feedContext, each.href))
  if (way) return [way, ...otherFormats(publication, feedContext)]
  const cover = mediaAddress(feedContext, { of: 'books', ...book }, 'cover')
  return [{ href: cover, type: 'image/jpeg', title: say('way.cover'), isSample: true }]
}
