import type { Author, BookFields, MetadataLayer, SeriesFields } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import {
  cleanDateText,
  cleanIsbn,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanName,
  cleanSummary,
  splitList,
} from './clean-text.ts'
import { withoutMissing } from './layer.ts'
import { namesIn } from './people.ts'
import { readXmp, type Xmp } from './xmp.ts'

/**
 * It reads the information dictionary of a PDF (`Title`, `Author`, …; `Language` is the document's) and its XMP packet,
 * which wins. The dates of the dictionary are those of the file; only XMP knows when the book came out.
 */
export const pdfInfoLayer = (info: Record<string, string | undefined>, xmpPacket?: string): MetadataLayer => {
  const xmp = readXmp(xmpPacket)
  const shared = {
    publisher: cleanName(xmp('publisher')[0]),
    language: cleanLanguage(xmp('language')[0]) ?? cleanLanguage(info.Language),
  }
  return {
    source: 'file:pdf',
    book: withoutMissing<BookFields>({
      ...shared,
      ...cleanDateText(xmp('date')[0]),
      title: meaningfulTitle(xmp('title')[0]) ?? meaningfulTitle(info.Title),
      summary: cleanSummary(xmp('description')[0]) ?? cleanSummary(info.Subject),
      authors: authorsOf(xmp('creator'), info.Author),
      tags: tagsOf(xmp, info.Keywords),
      isbns: isbnsOf(xmp, info),
    }),
    series: withoutMissing<SeriesFields>(shared),
  }
}

/** Names of files, of programs and of nothing: what is written when nobody has written a title. */
const junkTitle = new RegExp(
  [
    '^microsoft (?:office )?(?:word|excel|powerpoint|publisher) - ',
    '\\.(?:docx?|pdf|indd|qx[dp]|tex|dvi|e?ps|rtf|odt|pub|p65|pmd|pptx?|xlsx?|x?html?|txt|jpe?g|png|tiff?|psd|ai|cdr|wpd|fm|cb[zr7]|epub|mobi|zip)$',
    '^(?:[a-z]:)?[\\\\/]',
    '^(?:file|https?|about):',
    '^(?:untitled|unknown|unnamed|title|none|null|document|new document|scan|scanned document|scanned image|print|cover|layout|slide|page|powerpoint presentation|no job name|\\(?anonymous\\)?)[\\s_-]*\\d*$',
  ].join('|'),
  'i',
)

const meaningfulTitle = (text: string | undefined): string | undefined => {
  const title = cleanLine(text)
  if (title === undefined || junkTitle.test(title)) return undefined
  // A year may be all there is to a title; the number of a job or an ISBN is none.
  return /\p{L}|^\d{1,4}$/u.test(title) ? title : undefined
}

const junkAuthor =
  /^(?:unknown|anonymous|admin(?:istrator)?|user|owner|author|none|null|microsoft office user|\p{P}*)$/iu

const authorsOf = (creators: readonly string[], author: string | undefined): Author[] => {
  const written = creators.length > 0 ? creators : [author ?? '']
  return cleanList(written.slice(0, textLimits.listLength).flatMap(namesIn))
    .filter((name) => !junkAuthor.test(name))
    .map((name) => ({ name, role: 'author', sortName: null }))
}

const tagsOf = (xmp: Xmp, keywords: string | undefined): readonly string[] => {
  const subjects = xmp('subject')
  const written = subjects.length > 0 ? subjects : [keywords ?? '', ...xmp('Keywords')]
  return cleanList(written.slice(0, textLimits.listLength).flatMap(splitList))
}

const mayBeIsbn = /(?<![\d-])(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?![\d-])/g

/** Publishers put ISBNs among the identifiers and the keywords. */
const isbnsOf = (xmp: Xmp, info: Record<string, string | undefined>): readonly string[] => {
  const sources = [...xmp('isbn'), ...xmp('identifier'), info.ISBN, info.Keywords, info.Subject]
  const text = sources.map((each) => (each ?? '').slice(0, 4096)).join('\n')
  const isbns = (text.slice(0, 65_536).match(mayBeIsbn) ?? []).flatMap((each) => cleanIsbn(each) ?? [])
  return [...new Set(isbns)].slice(0, textLimits.listLength)
}
