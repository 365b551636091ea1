import { cleanIsbn } from '../../formats/metadata/clean-text.ts'

const hyphen = String.raw`[ \u2010-\u2015-]`
const written = new RegExp(
  String.raw`(?<![\p{L}\p{N}.-])(?:e?isbn(?:-?1[03])?\s*[:=]?\s*)?(?:97[89]${hyphen}?)?(?:\d${hyphen}?){9}[\dXx](?![\p{L}\p{N}])`,
  'giu',
)
/** The number may be typed only in part. */
const begun = new RegExp(String.raw`^\s*(?:e?isbn(?:-?1[03])?\s*[:=]?\s*)?97[89](?:${hyphen}\d*)+\s*$`, 'iu')

/** The books that are named by their numbers: thirteen digits each, however they are written. */
export const isbnsIn = (text: string): readonly string[] =>
  mayHold.test(text) ? (text.match(written) ?? []).flatMap((each) => cleanIsbn(each) ?? []) : none

const none: readonly string[] = []
/** Most texts hold none, and it takes less to see that. */
const mayHold = /\d{2}/

/** With each of these numbers as one word of thirteen digits. */
export const withPlainIsbns = (text: string): string => {
  if (!mayHold.test(text)) return text
  if (begun.test(text)) return text.replace(/\D/g, '')
  return text.replace(written, (each) => {
    const isbn = cleanIsbn(each)
    return isbn === undefined ? each : ` ${isbn} `
  })
}
