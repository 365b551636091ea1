import type { ExternalId } from '../../../../formats/book-format.ts'
import { recognisedLinks } from '../../../../formats/metadata/external-ids.ts'
import { recordLimits, type SourceValue, type SourceValues } from '../../records.ts'
import { elsewhere } from '../elsewhere.ts'
import { rowsOf, textsOf } from '../json-lists.ts'
import type { StoreRow } from '../sqlite.ts'
import { numberOf, textOf, truthOf, wholeOf } from '../values.ts'

/** The ages of Kavita's list, which is that of ComicInfo 2.1; unknown and pending say nothing. */
const ages: readonly (number | null)[] = [null, null, 3, 0, 0, 10, 8, 6, 13, 15, 17, 17, 18, 18, 18]

const ageOf = (rating: unknown): number | null => ages[wholeOf(rating, 0, ages.length - 1) ?? 0] ?? null

/**
 * Kavita lets through whatever is not above in its list, where ages do not rise steadily: Kids to Adults stands above Everyone 10+. The
 * oldest age that it lets through is the ceiling, so that nothing is hidden that was seen.
 */
export const ageCeilingOf = (restriction: unknown): number | null => {
  const level = wholeOf(restriction, 0, 1000)
  return level === null ? null : Math.max(0, ...ages.slice(0, level + 1).map((age) => age ?? 0))
}

const statuses = ['ongoing', 'hiatus', 'ended', 'abandoned', 'ended'] as const

/** The roles of people that are authors of ours; the number is Kavita's, the lock of each has the name. */
const authorRoles: readonly (readonly [number, lock: string, role: string])[] = [
  [3, 'Writer', 'writer'],
  [4, 'Penciller', 'penciller'],
  [5, 'Inker', 'inker'],
  [6, 'Colorist', 'colorist'],
  [7, 'Letterer', 'letterer'],
  [8, 'CoverArtist', 'cover_artist'],
  [9, 'Editor', 'editor'],
]
const publisherRole = 10
const characterRole = 11
const translatorRole = 12
const imprintRole = 13

const isLocked = (row: StoreRow, name: string): boolean => truthOf(row[`${name}Locked`])

const valueOf = (row: StoreRow, lock: string, value: unknown): SourceValue => ({ value, locked: isLocked(row, lock) })

/** What nobody has said and nobody has locked is no value. Locked and empty is one: a person has emptied it. */
const withoutUnsaid = (values: Readonly<Record<string, SourceValue>>): SourceValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, { value, locked }]) => locked || (value !== null && !(Array.isArray(value) && value.length === 0)),
    ),
  )

interface Credit {
  readonly name: string
  readonly role: number
}

const creditsOf = (row: StoreRow): readonly Credit[] =>
  rowsOf(row['people']).flatMap(([name, role]) => {
    const text = textOf(name)
    const number = wholeOf(role, 0, 100)
    return text === null || number === null ? [] : [{ name: text, role: number }]
  })

/** Each role has a lock there, and all authors have one here: one that is locked holds all of them, so that none gets lost. */
const authorsOf = (row: StoreRow, credits: readonly Credit[]): SourceValue => ({
  value: authorRoles.flatMap(([number, , role]) =>
    credits.filter((each) => each.role === number).map(({ name }) => ({ name, role })),
  ),
  locked: authorRoles.some(([, lock]) => isLocked(row, lock)),
})

const named = (credits: readonly Credit[], role: number): readonly string[] =>
  credits.filter((each) => each.role === role).map(({ name }) => name)

const yearOf = (value: unknown): number | null => wholeOf(value, 1, 9999)

/** Nobody can lock the name of a series, and its other name has no lock here. */
export const metadataOfSeries = (row: StoreRow): SourceValues => {
  const credits = creditsOf(row)
  const localized = textOf(row['localizedName'])
  return withoutUnsaid({
    titleSort: valueOf(row, 'sortName', textOf(row['sortName'])),
    ...(isLocked(row, 'localizedName') &&
      localized !== null && {
        alternateTitles: { value: [{ label: 'localized', title: localized }], locked: true },
      }),
    summary: valueOf(row, 'Summary', textOf(row['summary'], recordLimits.prose)),
    publisher: valueOf(row, 'Publisher', named(credits, publisherRole)[0] ?? null),
    imprint: valueOf(row, 'Imprint', named(credits, imprintRole)[0] ?? null),
    status: valueOf(row, 'PublicationStatus', statuses[wholeOf(row['status'], 0, 4) ?? -1] ?? null),
    language: valueOf(row, 'Language', textOf(row['language'])),
    ageRating: valueOf(row, 'AgeRating', ageOf(row['ageRating'])),
    year: valueOf(row, 'ReleaseYear', yearOf(row['year'])),
    totalVolumeCount: { value: wholeOf(row['totalCount'], 1, 100_000), locked: false },
    genres: valueOf(row, 'Genres', textsOf(row['genres'])),
    tags: valueOf(row, 'Tags', textsOf(row['tags'])),
    authors: authorsOf(row, credits),
    ...elsewhere(elsewhereOfSeries(row)),
  })
}

export const metadataOfChapter = (row: StoreRow): SourceValues => {
  const credits = creditsOf(row)
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d) /.exec(textOf(row['releaseDate']) ?? '') ?? []
  // The first day of the first year is how .NET writes that there is no date.
  const isDated = year !== undefined && year !== '0001'
  const dated = (part: string | undefined): SourceValue => valueOf(row, 'ReleaseDate', isDated ? Number(part) : null)
  return withoutUnsaid({
    title: valueOf(row, 'TitleName', textOf(row['title'])),
    summary: valueOf(row, 'Summary', textOf(row['summary'], recordLimits.prose)),
    ...(isLocked(row, 'SortOrder') && {
      numberSort: { value: numberOf(row['sortOrder'], 0, 1_000_000), locked: true },
    }),
    publisher: valueOf(row, 'Publisher', named(credits, publisherRole)[0] ?? null),
    imprint: valueOf(row, 'Imprint', named(credits, imprintRole)[0] ?? null),
    languageIso: valueOf(row, 'Language', textOf(row['language'])),
    ageRating: valueOf(row, 'AgeRating', ageOf(row['ageRating'])),
    year: dated(year),
    month: dated(month),
    day: dated(day),
    isbns: valueOf(
      row,
      'ISBN',
      [textOf(row['isbn'])].filter((each) => each !== null),
    ),
    genres: valueOf(row, 'Genres', textsOf(row['genres'])),
    tags: valueOf(row, 'Tags', textsOf(row['tags'])),
    characters: valueOf(row, 'Character', named(credits, characterRole)),
    translator: valueOf(row, 'Translator', named(credits, translatorRole)[0] ?? null),
    authors: authorsOf(row, credits),
    // Its links are those that stand in its file.
    ...elsewhere({ externalIds: idsOf(row), links: [] }),
  })
}

/** Teams and places have no field here; on series neither have characters and translators. */
export const hasLockWithoutField = (row: StoreRow, about: 'series' | 'chapter'): boolean =>
  ['Team', 'Location', ...(about === 'series' ? ['Character', 'Translator'] : [])].some((name) => isLocked(row, name))

const idSources: readonly (readonly [column: string, source: string])[] = [
  ['AniListId', 'anilist'],
  ['MalId', 'myanimelist'],
  ['MangaBakaId', 'mangabaka'],
  ['MetronId', 'metron'],
  ['ComicVineId', 'comicvine'],
  ['HardcoverId', 'hardcover'],
]

/** 0 is how a number says that there is no id. */
const idsOf = (row: StoreRow): readonly ExternalId[] =>
  idSources.flatMap(([column, source]) => {
    const id = textOf(row[column])
    return id === null || id === '0' ? [] : [{ source, id }]
  })

/** A person puts a link to a service there, which says more of it than the column of its id. */
const elsewhereOfSeries = (row: StoreRow) => {
  const { series, book } = recognisedLinks((textOf(row['links']) ?? '').split(','))
  const linked = new Set(series.externalIds.map(({ source }) => source))
  return {
    externalIds: [...series.externalIds, ...idsOf(row).filter(({ source }) => !linked.has(source))],
    links: [...series.links, ...book.links],
  }
}
