import { type OpdsLink, type OpdsNamed, type OpdsPublication, type OpdsRole, opdsTypes } from '@carrel/api/doors'
import { contributorRole, wholeDate } from '../../../features/contents/contents.ts'
import { hrefOf, type FeedContext, type Publication, type Target } from '../feed.ts'
import { cleanText } from '../xml.ts'

export const feedLink = (feedContext: FeedContext, rel: string, target: Target, title?: string): OpdsLink => ({
  rel,
  href: hrefOf(feedContext, 'v2', target),
  type: opdsTypes.feed,
  ...(title !== undefined && { title }),
})

/** The metadata of a book are the same in a feed and in a manifest. */
export const publicationMetadata = (
  publication: Publication,
  feedContext: FeedContext,
): OpdsPublication['metadata'] => {
  const { book, title, isComic, isbns } = publication
  return {
    '@type': isComic ? 'http://schema.org/ComicIssue' : 'http://schema.org/Book',
    title,
    identifier: `urn:uuid:${book.id}`,
    modified: book.updatedAt,
    ...textsOf(publication),
    ...peopleOf(publication, feedContext),
    ...(isbns.length > 0 && { altIdentifier: isbns.map((isbn) => `urn:isbn:${isbn}`) }),
    ...subjectsOf(publication, feedContext),
    ...(book.pageCount > 0 && { numberOfPages: book.pageCount }),
    ...belongsTo(publication, feedContext),
    ...directionOf(book.readingDirection),
  }
}

/** Strips go down the screen: that is a layout there, and no direction. */
const directionOf = (direction: Publication['book']['readingDirection']) =>
  direction === 'rtl'
    ? { readingProgression: 'rtl' }
    : { readingProgression: 'ltr', ...(direction !== 'ltr' && { layout: 'scrolled' }) }

const textField = <Name extends string>(name: Name, text: string | null): { readonly [Key in Name]?: string } => {
  const clean = cleanText(text ?? '')
  return clean === '' ? {} : ({ [name]: clean } as { readonly [Key in Name]: string })
}

const textsOf = ({ book, subtitle, summary, language, issued, publisher }: Publication) => {
  const { publisher: name } = textField('publisher', publisher)
  return {
    ...textField('subtitle', subtitle),
    ...textField('sortAs', book.titleSort),
    ...textField('language', language),
    ...textField('published', issued === null ? null : wholeDate(issued)),
    ...textField('description', summary),
    ...(name !== undefined && { publisher: { name } }),
  }
}

/** To nothing, where its series is rated above what the viewer may see. */
const belongsTo = ({ book }: Publication, feedContext: FeedContext): Pick<OpdsPublication['metadata'], 'belongsTo'> => {
  if (book.seriesId === null) return {}
  const series: OpdsNamed = {
    name: cleanText(book.seriesName) || feedContext.texts.say('untitled'),
    ...(book.number !== null && book.number > 0 && { position: book.number }),
    links: [feedLink(feedContext, 'self', { path: `/series/${book.seriesId}` })],
  }
  return { belongsTo: { series } }
}

const subjectsOf = ({ subjects }: Publication, feedContext: FeedContext): { subject?: OpdsNamed[] } => {
  const named = subjects.filter(({ name }) => cleanText(name) !== '')
  if (named.length === 0) return {}
  return {
    subject: named.map(({ name, kind }) => ({
      name: cleanText(name),
      links: [feedLink(feedContext, 'self', { path: '/books', query: { [kind]: name } })],
    })),
  }
}

const peopleOf = ({ people }: Publication, feedContext: FeedContext): { [Role in OpdsRole]?: OpdsNamed[] } => {
  const byRole: { [Role in OpdsRole]?: OpdsNamed[] } = {}
  for (const { name, role, sortAs } of people) {
    if (cleanText(name) === '') continue
    const standardRole = contributorRole(role)
    const links = [feedLink(feedContext, 'self', { path: '/books', query: { author: name } })]
    const person = { name: cleanText(name), ...textField('sortAs', sortAs), links }
    if (!byRole[standardRole]?.some((each) => each.name === person.name))
      byRole[standardRole] = [...(byRole[standardRole] ?? []), person]
  }
  return byRole
}
