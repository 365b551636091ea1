import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ImportChoice, importKinds, type ImportPart, importParts, type NewImport } from '@carrel/api'
import { UsageError } from './command.ts'

/** What a call of `carrel import-from` asks for, as far as it can be known from its words alone. */
export interface ImportCall {
  readonly undo: string | undefined
  readonly as: string | undefined
  readonly asksForKey: boolean
  readonly applies: boolean
  readonly isHere: boolean
  readonly left: ReadonlySet<ImportPart>
  readonly takesPrivateLists: boolean
  /** Nothing where an import is taken back. */
  readonly read: { readonly kind: NewImport['kind']; readonly source: string; readonly isAddress: boolean } | undefined
  readonly libraries: readonly LibraryWords[]
}

/** The texts to the left and right of each `=`, for names may hold some. */
export type LibraryWords = readonly { readonly theirs: string; readonly ours: string }[]

/** Whatever is wrong with the words is told before anything is opened, asked for or read. */
export const importCallOf = (args: readonly string[]): ImportCall => {
  const flag = { type: 'boolean', default: false } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      library: { type: 'string', multiple: true, default: [] },
      without: { type: 'string', multiple: true, default: [] },
      as: { type: 'string' },
      undo: { type: 'string' },
      key: flag,
      apply: flag,
      here: flag,
      'private-lists': flag,
    },
  })
  if (values.undo !== undefined && positionals.length > 0)
    throw new UsageError('Name either an import to take back, or what is to be read.')
  return {
    undo: values.undo,
    as: values.as,
    asksForKey: values.key,
    applies: values.apply,
    isHere: values.here,
    left: new Set(values.without.map(partFrom)),
    takesPrivateLists: values['private-lists'],
    read: values.undo === undefined ? whatToRead(positionals) : undefined,
    libraries: values.library.map(libraryWords),
  }
}

export const choiceOf = ({ left, takesPrivateLists }: ImportCall): ImportChoice => ({
  ...Object.fromEntries([...left].map((part) => [part, false])),
  privateLists: takesPrivateLists,
})

const whatToRead = ([kind, source, ...more]: readonly string[]): NonNullable<ImportCall['read']> => {
  const importKind = importKinds.find((each) => each === kind)
  if (!importKind || source === undefined || source === '' || more.length > 0)
    throw new UsageError('Name a kind of server, and a path or an address.')
  const isAddress = /^[a-z]+:\/\//i.test(source)
  return { kind: importKind, source: isAddress ? source : resolve(source), isAddress }
}

const partFrom = (text: string): ImportPart => {
  const part = importParts.find((each) => each === text)
  if (!part) throw new UsageError(`There is no part "${text}" to leave out: it is one of ${importParts.join(', ')}.`)
  return part
}

const libraryWords = (text: string): LibraryWords => {
  const words = [...text.matchAll(/=/g)].map(({ index }) => ({
    theirs: text.slice(0, index),
    ours: text.slice(index + 1),
  }))
  if (words.every(({ theirs, ours }) => theirs === '' || ours === ''))
    throw new UsageError(`"${text}" does not say which library is which: write --library THEIRS=OURS.`)
  return words
}

interface OurLibrary {
  readonly id: string
  readonly name: string
}

export const librariesFrom = (
  words: readonly LibraryWords[],
  ours: readonly OurLibrary[],
): NonNullable<NewImport['libraries']> =>
  words.map((ways) => {
    for (const way of ways) {
      const library = ours.find(({ id, name }) => id === way.ours || name.toLowerCase() === way.ours.toLowerCase())
      if (library && way.theirs !== '') return { theirs: way.theirs, ours: library.id }
    }
    const names = ours.map(({ name }) => `"${name}"`).join(', ')
    throw new UsageError(
      `There is no library "${ways[0]?.ours ?? ''}" here${names === '' ? '' : `: there is ${names}`}.`,
    )
  })

/** The store says which libraries it has once it is read; a choice that fits none of them would change nothing. */
export const requireTheirs = (
  chosen: NonNullable<NewImport['libraries']>,
  theirs: readonly { readonly theirs: string; readonly name: string }[],
): void => {
  for (const choice of chosen) {
    if (theirs.some((each) => each.theirs === choice.theirs || each.name === choice.theirs)) continue
    const names = theirs.map(({ name }) => `"${name}"`).join(', ')
    throw new UsageError(
      theirs.length === 0
        ? 'There are no libraries in what was read: leave out --library.'
        : `There is no library "${choice.theirs}" in what was read: there is ${names}.`,
    )
  }
}
