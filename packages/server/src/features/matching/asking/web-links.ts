import type { WebLinkProvider } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { cleanLine } from '../../../formats/metadata/clean-text.ts'
import { manifestOf, type PluginRow, selectEnabled } from '../../plugins/plugins.ts'
import { plainSource } from './providers.ts'

const pluginsMax = 200
const linksMax = 50
const addressLengthMax = 2000

export const listWebLinks = async (
  db: ReadDb,
  { libraryId }: { readonly libraryId?: string | undefined },
): Promise<{ providers: WebLinkProvider[] }> => {
  const rows = await selectEnabled(db, pluginsMax)
  const isFor = ({ library_ids }: PluginRow): boolean => {
    const ids = JSON.parse(library_ids) as string[]
    return libraryId === undefined || ids.length === 0 || ids.includes(libraryId)
  }
  return { providers: rows.filter(isFor).flatMap(linksOf) }
}

const linksOf = (row: PluginRow): WebLinkProvider[] => {
  const manifest = manifestOf(row)
  if (!manifest) return []
  const { webLinks } = manifest.capabilities
  const config = openConfig(row, new Set((manifest.requiredCredentials ?? []).map(({ key }) => key)))
  const search = webLinks?.searchUrlTemplate ?? manifest.searchURITemplate?.replaceAll('<title>', '{title}')
  const searchUrlTemplate = search === undefined ? null : filledIn(search, 'title', config)
  const seriesLinks = (webLinks?.seriesLinks ?? []).slice(0, linksMax).flatMap(({ source, urlTemplate: template }) => {
    const urlTemplate = filledIn(template, 'externalId', config)
    const name = cleanLine(plainSource(source), 200)
    return urlTemplate === null || name === undefined ? [] : [{ source: name, urlTemplate }]
  })
  if (searchUrlTemplate === null && seriesLinks.length === 0) return []
  return [{ pluginName: row.name, displayName: row.display_name, searchUrlTemplate, seriesLinks }]
}

type OpenConfig = ReadonlyMap<string, string>

const secretNames = /pass|secret|token|key|credential|auth|cookie|session/i

/** What may stand in an address that everybody sees: plain values, and none that may be meant for nobody's eyes. */
const openConfig = ({ config }: PluginRow, credentials: ReadonlySet<string>): OpenConfig =>
  new Map(
    Object.entries(JSON.parse(config) as Record<string, unknown>).flatMap(([key, value]) => {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isPlain && !secretNames.test(key) && !credentials.has(key) ? [[key, String(value)] as const] : []
    }),
  )

/** Null: something is missing, or it is no address of the web whatever it is asked for. */
const filledIn = (template: string, placeholder: 'title' | 'externalId', config: OpenConfig): string | null => {
  let isWhole = true
  const filled = template.replaceAll(/\{config\.([^{}]+)\}/g, (_, key: string, position: number) => {
    const value = config.get(key)
    if (value === undefined || value === '') isWhole = false
    // At the beginning it is an address itself.
    return position === 0 ? (value ?? '').replace(/\/+$/, '') : encodeURIComponent((value ?? '').toWellFormed())
  })
  const addressWith = (word: string): URL | null => {
    const text = filled.replaceAll(`{${placeholder}}`, word)
    return text.length > addressLengthMax || /[{}\s<>"'\\]/.test(text) ? null : URL.parse(text)
  }
  const [one, other] = [addressWith('one'), addressWith('other')]
  if (!isWhole || !one || !other || !['http:', 'https:'].includes(one.protocol)) return null
  if (one.username !== '' || one.password !== '' || one.host !== other.host) return null
  return filled
}
