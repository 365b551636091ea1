import { bookTitleIn, type ExportedAnnotation } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { type ExportCursor, selectToExport } from './queries.ts'

const atOnce = 200

/** It reads all annotations of a user, a few at a time. */
const annotationsOf = async function* (db: ReadDb, viewer: Viewer): AsyncGenerator<ExportedAnnotation> {
  let after: ExportCursor = { bookId: '', place: -1, id: '' }
  for (;;) {
    const some = await selectToExport(db, viewer, after, atOnce)
    for (const { exported } of some) yield exported
    after = some.at(-1)?.at ?? after
    if (some.length < atOnce) return
  }
}

export const annotationsAsJson = async function* (db: ReadDb, viewer: Viewer): AsyncGenerator<string> {
  let separator = '{"annotations":['
  for await (const annotation of annotationsOf(db, viewer)) {
    yield separator + JSON.stringify(annotation)
    separator = ','
  }
  yield separator === ',' ? ']}' : `${separator}]}`
}

export const annotationsAsMarkdown = async function* (db: ReadDb, viewer: Viewer): AsyncGenerator<string> {
  let bookId = ''
  for await (const annotation of annotationsOf(db, viewer)) {
    if (annotation.book.id !== bookId) yield headingOf(annotation.book, bookId === '')
    bookId = annotation.book.id
    yield partOf(annotation)
  }
}

const headingOf = ({ seriesTitle, ...book }: ExportedAnnotation['book'], isFirst: boolean): string =>
  `${isFirst ? '' : '\n'}# ${plain(bookTitleIn('mixed', { ...book, seriesName: seriesTitle }).text)}\n`

const partOf = ({ quote, note, createdAt }: ExportedAnnotation): string =>
  [
    '',
    ...(quote === ''
      ? []
      : [
          quote
            .split(/\r\n|\r|\n/)
            .map((line) => `> ${plain(line)}`)
            .join('\n'),
          '',
        ]),
    ...(note === '' ? [] : [note, '']),
    `*${createdAt.slice(0, 10)}*`,
    '',
  ].join('\n')

/** Text of books as it is: nothing in it is taken for markup. */
const plain = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>#|~]/g, '\\$&').replaceAll(/\s+/g, ' ')
