import { invalid } from '../../platform/errors.ts'
import { sha256 } from '../../platform/secrets/tokens.ts'

export interface ReadingDevice {
  readonly id: string
  readonly name: string | null
}

/** A request says this about the device it comes from. */
export interface DeviceWords {
  /** `X-Device-Id` and `X-Device-Name`. */
  readonly id: string | undefined
  readonly name: string | undefined
  readonly apiKey: { readonly id: string; readonly name: string } | undefined
  readonly userAgent: string | null
}

const lengthMax = 128

/** The device as the client names it, else its API key, else the application by what it calls itself (READ-2). */
export const deviceFrom = ({ id, name, apiKey, userAgent }: DeviceWords): ReadingDevice => {
  const givenName = name === undefined ? null : cleanDeviceText(name, 'X-Device-Name')
  const givenId = id === undefined ? '' : cleanDeviceText(id, 'X-Device-Id')
  if (givenId !== '') return { id: givenId, name: givenName || null }
  if (apiKey) return { id: `apikey:${apiKey.id}`, name: givenName || apiKey.name }
  if (!userAgent) return { id: 'unknown', name: givenName || null }
  return { id: `ua:${sha256(userAgent).slice(0, 16)}`, name: givenName || applicationOf(userAgent) }
}

/** Headers come in Latin-1; most clients mean UTF-8. */
export const headerText = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1')
  const asUtf8 = bytes.toString('utf8')
  return asUtf8.includes('\uFFFD') ? text : asUtf8
}

export const cleanDeviceText = (text: string, path: string): string => {
  const clean = text.normalize('NFC').trim()
  if (clean.length > lengthMax) throw invalid(path, `${path} takes up to ${lengthMax} characters.`)
  if (/\p{Cc}|\p{Cs}/u.test(clean)) throw invalid(path, `${path} must not hold control characters.`)
  return clean
}

/** The first match wins, because many clients give themselves several names. */
const families: readonly (readonly [RegExp, string])[] = [
  [/koreader/i, 'KOReader'],
  [/komic/i, 'Komic'],
  [/chunky/i, 'Chunky'],
  [/panels/i, 'Panels'],
  [/paperback/i, 'Paperback'],
  [/moon\+|moonreader/i, 'Moon+ Reader'],
  [/mihon|tachiyomi/i, 'Mihon'],
  [/thorium/i, 'Thorium'],
  [/aidoku/i, 'Aidoku'],
  [/kmreader/i, 'KMReader'],
  [/komelia/i, 'Komelia'],
  [/liseur/i, 'Liseur'],
  [/aldiko|cantook/i, 'Aldiko'],
  [/readest/i, 'Readest'],
  [/foliate/i, 'Foliate'],
  [/librera/i, 'Librera'],
  [/kybook/i, 'KyBook'],
  [/edg\//i, 'Edge'],
  [/opr\/|opera/i, 'Opera'],
  [/samsungbrowser/i, 'Samsung Internet'],
  [/firefox|fxios/i, 'Firefox'],
  [/chrome|crios/i, 'Chrome'],
  [/safari/i, 'Safari'],
]

export const applicationOf = (userAgent: string): string | null =>
  families.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
