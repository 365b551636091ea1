import type { FastifyRequest } from 'fastify'

/** An application, or a family of them, that we know by how it asks. */
export interface Profile {
  /** The name is stored with sessions: once given it must not change. */
  readonly name: string
  readonly userAgent?: RegExp
  /** It recognises requests that do not name their application. */
  readonly mark?: (headers: FastifyRequest['headers']) => boolean
  readonly spelling: 'law' | 'komga'
  /** It opens the files of books itself, and none but those. */
  readonly opens?: 'epub'
}

/** The first match wins. A client that matches none gets the spelling of the specification. */
export const profiles: readonly Profile[] = [
  // Compares author roles in lower case, as most do.
  { name: 'mihon', userAgent: /tachiyomi|mihon|suwayomi|komikku/i, spelling: 'komga' },
  // Takes the part of a library's id before the first hyphen for the whole.
  { name: 'aidoku', userAgent: /aidoku/i, spelling: 'komga' },
  { name: 'paperback', userAgent: /paperback/i, spelling: 'komga' },
  { name: 'komelia', userAgent: /komelia|ktor/i, spelling: 'komga' },
  { name: 'kmreader', userAgent: /kmreader/i, spelling: 'komga' },
  { name: 'liseur', userAgent: /liseur/i, spelling: 'komga', opens: 'epub' },
  { name: 'koreader', userAgent: /koreader|luasocket/i, spelling: 'komga' },
  { name: 'komic', userAgent: /komic\b/i, spelling: 'komga' },
  {
    name: 'komga-web',
    mark: ({ 'x-requested-with': by }) => by === 'XMLHttpRequest',
    spelling: 'komga',
  },
  { name: 'kmreader', mark: (headers) => headers['x-auth-token'] !== undefined, spelling: 'komga' },
]

/** The profile follows from what this request says of its application. */
export const profileOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Profile | undefined =>
  profiles.find(({ userAgent, mark }) => userAgent?.test(headers['user-agent'] ?? '') ?? mark?.(headers))

export const profileNamed = (name: string | null | undefined): Profile | undefined =>
  profiles.find((each) => each.name === name)
