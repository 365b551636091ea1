import { bookTitleIn, type NotificationDto } from '@carrel/api'
import { numberWordsIn } from '../../../texts/number-words.ts'
import type { Texts } from '../../../texts/texts.ts'

/** XML does not allow these at all, however they are written. */
// oxlint-disable-next-line no-control-regex -- these are the characters it is about
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const text = (value: string): string =>
  value.replaceAll(forbidden, '').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

/** The notifications as RSS 2.0. `home` is where the web app is, without a slash at its end. */
export const rssOf = (notifications: readonly NotificationDto[], home: string, texts: Texts): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0"><channel>',
    '<title>Carrel</title>',
    `<link>${text(`${home}/`)}</link>`,
    `<description>${text(texts.say('feed.about'))}</description>`,
    `<language>${texts.language}</language>`,
    ...notifications.map((notification) => itemOf(notification, home, texts)),
    '</channel></rss>',
    '',
  ].join('\n')

const itemOf = (notification: NotificationDto, home: string, texts: Texts): string => {
  const { id, seriesId, seriesTitle, bookCount, books, createdAt } = notification
  const title = texts.say('feed.title', { series: seriesTitle, books: texts.count('newBooks', bookCount) })
  const words = numberWordsIn(texts)
  const names = books.map((book) => bookTitleIn('series', { ...book, seriesName: seriesTitle }, words).text)
  const more = bookCount > books.length ? ['…'] : []
  return [
    '<item>',
    `<title>${text(title)}</title>`,
    `<link>${text(`${home}/series/${seriesId}`)}</link>`,
    `<guid isPermaLink="false">${text(id)}</guid>`,
    `<pubDate>${new Date(createdAt).toUTCString()}</pubDate>`,
    `<description>${text([...names, ...more].join('\n'))}</description>`,
    '</item>',
  ].join('')
}
