import { customMetadataBytesMax } from '@carrel/api'
import { invalid } from '../../platform/errors.ts'

type Patch = Readonly<Record<string, unknown>>

const customDepthMax = 20

/** What somebody says as it is kept: composed, without space around it, and refused where it means nothing. */
export const cleanPatch = <P extends object>(patch: P): P => {
  const clean = Object.entries(patch as Patch).map(([field, value]) => {
    if (field === 'customMetadata') return [field, cleanCustom(value)] as const
    const cleaned = cleanValue(value, `/${field}`)
    if ((field === 'language' || field === 'languageIso') && typeof cleaned === 'string')
      return [field, cleanLanguage(cleaned, `/${field}`)] as const
    if (field === 'isbns' && Array.isArray(cleaned)) return [field, cleaned.map(cleanIsbn)] as const
    return [field, cleaned] as const
  })
  requireDayInMonth(patch as Patch)
  return Object.fromEntries(clean) as P
}

/** The patch may say a day before its month, and a month before its year: only what it says together is checked. */
const requireDayInMonth = ({ year, month, day }: Patch): void => {
  if (typeof month !== 'number' || typeof day !== 'number') return
  const leapYear = 2000
  const most = new Date(Date.UTC(typeof year === 'number' ? year : leapYear, month, 0)).getUTCDate()
  if (day > most) throw invalid('/day', `This month has ${most} days.`, { reason: 'number_high', values: { most } })
}

const cleanValue = (value: unknown, path: string): unknown => {
  if (typeof value === 'string') return cleanText(value, path)
  if (Array.isArray(value)) return value.map((each, index) => cleanValue(each, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each, `${path}/${name}`)]))
}

const cleanText = (text: string, path: string): string => {
  if (!text.isWellFormed()) throw invalid(path, 'This is not text: half of a character is missing.')
  const clean = text.normalize('NFC').trim()
  if (clean === '')
    throw invalid(path, 'There is nothing but space here. To say that there is nothing, use null.', {
      reason: 'text_empty',
    })
  return clean
}

/** Languages are kept the way BCP 47 writes them, so that one language has one name. */
const cleanLanguage = (tag: string, path: string): string => {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0] ?? tag
  } catch {
    throw invalid(path, `"${tag}" is not a language tag such as "ja" or "pt-BR".`, { reason: 'language_unknown' })
  }
}

const cleanIsbn = (isbn: unknown, position: number): string => {
  const digits = String(isbn).replace(/[\s-]/g, '').toUpperCase()
  if (/^(?:\d{9}[\dX]|\d{13})$/.test(digits)) return digits
  throw invalid(`/isbns/${position}`, `"${String(isbn)}" is not an ISBN of 10 or 13 digits.`, { reason: 'isbn_wrong' })
}

const cleanCustom = (value: unknown): unknown => {
  if (value === null) return null
  const path = '/customMetadata'
  if (depthOf(value) > customDepthMax)
    throw invalid(path, `Custom metadata may be at most ${customDepthMax} levels deep.`)
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > customMetadataBytesMax)
    throw invalid(path, `Custom metadata may be at most ${customMetadataBytesMax / 1024} KiB.`)
  if (!text.isWellFormed()) throw invalid(path, 'Custom metadata must be text that is whole.')
  return JSON.parse(text)
}

/** Stops counting where it is too much anyway. */
const depthOf = (value: unknown, above = 0): number => {
  if (typeof value !== 'object' || value === null || above > customDepthMax) return above
  return Object.values(value).reduce<number>((most, each) => Math.max(most, depthOf(each, above + 1)), above + 1)
}
