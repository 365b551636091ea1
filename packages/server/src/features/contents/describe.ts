import { type ContributorRole, contributorRoles, type Manifest } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { metadataOfBook } from '../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { selectDescription } from './queries.ts'

/** The manifest with what is known of the book; what nobody knows is left out. */
export const describeManifest = async (
  db: ReadDb,
  viewer: Viewer,
  bookId: string,
  manifest: Manifest,
): Promise<Manifest> => {
  const row = await selectDescription(db, viewer, bookId)
  // Hidden since it was read.
  if (!row) return manifest
  const metadata = metadataOfBook({ metadata: row.metadata, locks: '[]' })
  const language = languageTag(metadata.languageIso) ?? languageTag(row.series_language)
  const publisher = metadata.publisher ?? row.series_publisher
  const published = dateIn(metadata)
  const description = row.summary ?? metadata.summary
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      modified: row.updated_at,
      ...contributorsIn(metadata.authors),
      ...(language !== null && { language }),
      ...(publisher && { publisher }),
      ...(published !== null && { published: wholeDate(published) }),
      ...(description && { description }),
      ...(row.series_title && {
        belongsTo: {
          series: { name: row.series_title, ...(row.number !== null && row.number > 0 && { position: row.number }) },
        },
      }),
    },
  }
}

interface Contributor {
  readonly name: string
  readonly role?: string | null | undefined
  readonly sortName?: string | null | undefined
}

const contributorsIn = (people: readonly Contributor[]) => {
  const byRole: { [Role in ContributorRole]?: { name: string; sortAs?: string }[] } = {}
  for (const { name, role, sortName } of people) {
    const as = contributorRole(role)
    if (byRole[as]?.some((each) => each.name === name)) continue
    byRole[as] = [...(byRole[as] ?? []), { name, ...(sortName && { sortAs: sortName }) }]
  }
  return byRole
}

/** Our roles map to these names; any other role is a contributor. */
const spelledRoles: Readonly<Record<string, ContributorRole>> = {
  writer: 'author',
  co_author: 'author',
  penciller: 'penciler',
  cover_artist: 'artist',
}

export const contributorRole = (spelled: string | null | undefined): ContributorRole => {
  const role = (spelled ?? 'author').toLowerCase()
  return spelledRoles[role] ?? contributorRoles.find((each) => each === role) ?? 'contributor'
}

/** BCP 47; null for what is no tag of a language. */
export const languageTag = (language: string | null): string | null => {
  const tag = language?.trim().replaceAll('_', '-') ?? ''
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

interface PartialDate {
  readonly year: number | null
  readonly month: number | null
  readonly day: number | null
}

/** `2019`, `2019-03` or `2019-03-01`, as far as it is a date. */
export const dateIn = ({ year, month, day }: PartialDate): string | null => {
  if (year === null || year < 1 || year > 9999) return null
  const parts = [String(year).padStart(4, '0')]
  if (month !== null && month >= 1 && month <= 12) {
    parts.push(String(month).padStart(2, '0'))
    const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
    if (day !== null && day >= 1 && day <= days) parts.push(String(day).padStart(2, '0'))
  }
  return parts.join('-')
}

/** It is for formats that accept only whole dates. */
export const wholeDate = (date: string): string => `${date}-01-01`.slice(0, 10)
