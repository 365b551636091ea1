import type { RequestText } from '../../connection.ts'

export type Headers = Readonly<Record<string, string>>

export interface Account {
  readonly username: string
  readonly password: string
}

/** It sends one request outside all measures. The answer is its JSON, or undefined where there is none. */
export type Ask = (request: RequestText) => Promise<{ readonly body: unknown; readonly cookies: readonly string[] }>

export interface SignedIn {
  readonly headers: Headers
  /** A browser that has these is signed in too. */
  readonly cookies: readonly string[]
}

interface Counted {
  /** Books that a list shows. */
  readonly listed: number
  /** Books of which the pages are known. */
  readonly read: number
}

/** A question is asked again and again; `turn` is another number each time. */
type Question = (turn: number) => RequestText

export const listNames = [
  'books, first page again',
  'books by title, page after page',
  'books by date, page after page',
  'series by name, page after page',
  'series of a genre',
  'series unread',
] as const

/** Every server is asked for as much at once. */
export const pageSizes = { books: 50, series: 20 } as const

interface QuestionContext {
  readonly genres: readonly string[]
  /** So many pages are full: an empty one would cost nothing. */
  readonly fullPages: { readonly books: number; readonly series: number }
}

export interface Questions {
  /** A server that cannot be asked for a list leaves it out. */
  readonly lists: Readonly<Partial<Record<(typeof listNames)[number], Question>>>
  readonly search: (word: string) => RequestText
  readonly me: () => RequestText
  readonly book: (id: string) => RequestText
  readonly page: (id: string, number: number) => RequestText
  readonly progress: (id: string, page: number) => RequestText
}

/**
 * It says how the API of a server is spoken. All that is measured, and how, is the same for every server and stands elsewhere.
 */
export interface Adapter {
  /** It answers 200 as soon as the server can be asked. */
  readonly health: string
  /** It makes the first account where there is none yet. */
  readonly signIn: (ask: Ask, account: Account) => Promise<SignedIn>
  /** It answers with the headers of a program that has a key; undefined where the server has none. */
  readonly makeKey: (ask: Ask) => Promise<Headers | undefined>
  /** The library has this one folder. Its first scan begins. */
  readonly addLibrary: (ask: Ask, root: string) => Promise<string>
  /** Whether `scan` answers when the scan is over. Of other servers the time of a scan cannot be told. */
  readonly tellsEndOfScan: boolean
  readonly scan: (ask: Ask, libraryId: string) => Promise<void>
  readonly count: (ask: Ask, libraryId: string) => Promise<Counted>
  readonly bookIds: (ask: Ask, count: number) => Promise<readonly string[]>
  readonly genres: (ask: Ask) => Promise<readonly string[]>
  readonly questions: (context: QuestionContext) => Questions
}

/** A row asks for another one each time. */
export const inTurn = <Each>(all: readonly Each[], turn: number): Each => {
  const each = all[turn % all.length]
  if (each === undefined) throw new Error('There is nothing to ask for')
  return each
}
