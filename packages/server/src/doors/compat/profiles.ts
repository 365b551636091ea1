import type { FastifyRequest } from 'fastify'

/** An application, or a family of them, that we know by how it asks. */
export interface Profile {
  /** Kept with its sessions: a name once given stays. */
  readonly name: string
  readonly userAgent?: RegExp
  /** What its requests carry where it does not say its name. */
  readonly mark?: (headers: FastifyRequest['headers']) => boolean
  readonly spelling: 'law' | 'komga'
}

/** In order. Whoever is none of these gets the spelling of the specification. */
export const profiles: readonly Profile[] = [
  // Compares author roles in lower case, as most do.
  { name: 'mihon', userAgent: /tachiyomi|mihon|suwayomi|komikku/i, spelling: 'komga' },
  // Takes the part of a library's id before the first hyphen for the whole.
  { name: 'aidoku', userAgent: /aidoku/i, spelling: 'komga' },
  { name: 'paperback', userAgent: /paperback/i, spelling: 'komga' },
  { name: 'komelia', userAgent: /komelia|ktor/i, spelling: 'komga' },
  { name: 'kmreader', userAgent: /kmreader/i, spelling: 'komga' },
  { name: 'liseur', userAgent: /liseur/i, spelling: 'komga' },
  { name: 'koreader', userAgent: /koreader|luasocket/i, spelling: 'komga' },
  { name: 'komic', userAgent: /komic\b/i, spelling: 'komga' },
  {
    name: 'komga-web',
    mark: ({ 'x-requested-with': by }) => by === 'XMLHttpRequest',
    spelling: 'komga',
  },
  { name: 'kmreader', mark: (headers) => headers['x-auth-token'] !== undefined, spelling: 'komga' },
]

/** Who asks, by what this request says of itself. */
export const profileOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Profile | undefined =>
  profiles.find(({ userAgent, mark }) => userAgent?.test(headers['user-agent'] ?? '') ?? mark?.(headers))

export const profileNamed = (name: string | null | undefined): Profile | undefined =>
  profiles.find((each) => each.name === name)
