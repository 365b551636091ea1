/** What the tags of an archive say: one text, with commas between, each with or without the name of its kind before a colon. */
export interface Tags {
  readonly series: string | null
  /** 1 to 5. */
  readonly stars: number | null
  readonly language: string | null
  readonly artists: readonly string[]
  readonly characters: readonly string[]
  readonly genres: readonly string[]
  readonly sources: readonly string[]
  /** Everything else, as it is written. */
  readonly others: readonly string[]
}

const tagsMax = 500
const star = '⭐'

/** When it was added is what the server says, and no tag. */
const dropped = new Set(['date_added', 'timestamp'])

export const tagsIn = (text: string | null): Tags => {
  const byKind = new Map<string, string[]>()
  for (const each of (text ?? '').split(',', tagsMax)) {
    const tag = each.trim()
    if (tag === '') continue
    // A value may hold colons itself: an address does.
    const colon = tag.indexOf(':')
    const kind = colon > 0 ? tag.slice(0, colon).trim().toLowerCase() : ''
    const isKnownKind = knownKinds.has(kind)
    const [key, value] = isKnownKind ? [kind, tag.slice(colon + 1).trim()] : ['', tag]
    if (value === '' || dropped.has(kind)) continue
    const values = byKind.get(key)
    if (values === undefined) byKind.set(key, [value])
    else if (!values.includes(value)) values.push(value)
  }
  const of = (kind: string): readonly string[] => byKind.get(kind) ?? []
  return {
    series: of('series')[0] ?? null,
    stars: starsIn(of('rating')[0]),
    language: of('language')[0] ?? null,
    artists: of('artist'),
    characters: of('character'),
    genres: of('genre'),
    sources: of('source'),
    others: of(''),
  }
}

const knownKinds: ReadonlySet<string> = new Set([
  'series',
  'rating',
  'language',
  'artist',
  'character',
  'genre',
  'source',
  ...dropped,
])

const starsIn = (value: string | undefined): number | null => {
  const stars = [...(value ?? '')].filter((each) => each === star).length
  return stars >= 1 && stars <= 5 ? stars : null
}
