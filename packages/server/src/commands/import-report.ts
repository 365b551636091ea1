import type { ImportDto, ImportPart } from '@carrel/api'
import { withoutParts } from '../features/imports/imports.ts'
import { type ImportCall } from './import-options.ts'
import { printable } from './printable.ts'

export const say = (text: string): void => void process.stdout.write(`${printable(text)}\n`)
export const complain = (text: string): void => void process.stderr.write(`${printable(text)}\n`)

const shownMax = 20

export const tellReport = (
  report: ImportDto,
  call: Pick<ImportCall, 'left' | 'takesPrivateLists' | 'applies'>,
  by: string,
): void => {
  if (report.fault) return complain(report.fault.message)
  for (const line of linesOf(report, call, by)) say(line)
  if (!call.applies) say('Nothing is changed yet: the same call with --apply takes it over.')
}

/** A line for each thing that is told of a store that was read. */
export const linesOf = (
  report: ImportDto,
  { left, takesPrivateLists }: Pick<ImportCall, 'left' | 'takesPrivateLists'>,
  by: string,
): readonly string[] => {
  const { found, matched, unmatchedCount, unmatched, conflicts, passedOver } = report
  return [
    `Import ${report.id}`,
    `Found: ${listed(Object.entries(found))}.`,
    ...report.libraries.map(
      ({ name, ours, books, by: how }) =>
        `Library ${name} (${books} books): ${ours === null ? 'none of ours' : `ours, ${ofLibrary[how]}`}.`,
    ),
    ...report.users.map((user) => lineOfUser(user, by)),
    `Books: ${matched.byHash} by hash, ${matched.byPath} by path, ${matched.byName} by name; ${unmatchedCount} are not here.`,
    ...unmatched
      .slice(0, shownMax)
      .map(
        ({ series, number, title, reason, readers }) =>
          `  not here (${whyNotHere[reason]}; readers: ${readers}): ${[series, number, title].filter((part) => part !== null).join(' · ')}`,
      ),
    `Would be made: ${listed(Object.entries(withoutParts(report.wouldCreate, left)))}.`,
    ...lineOfStrangers(report, left),
    ...lineOfPrivateLists(report, left, takesPrivateLists),
    ...conflicts
      .slice(0, shownMax)
      .map(({ kind, what, count }) => `  ${ofConflict[kind]}: ${what}${count > 1 ? ` (${count})` : ''}`),
    ...passedOver.map(
      ({ what, reason, count }) => `  left out (${whyLeft[reason]}): ${count === null ? '' : `${count} `}${what}`,
    ),
  ]
}

export const tellTaken = (report: Pick<ImportDto, 'id' | 'taken'>): void => {
  for (const line of linesOfTaken(report)) say(line)
}

export const linesOfTaken = ({ id, taken }: Pick<ImportDto, 'id' | 'taken'>): readonly string[] => {
  const counts = Object.entries(taken)
  const isLeft = ([name]: readonly [string, number]): boolean => leftAsItIs.has(name)
  const [came, left] = [counts.filter((count) => !isLeft(count)), counts.filter(isLeft)].map(listed)
  return [
    `Taken over: ${came}.`,
    ...(left === nothing ? [] : [`Not taken over: ${left}.`]),
    ...((taken['users'] ?? 0) > 0
      ? ['Whoever is new has no password: under Users, each gets a link in that works once.']
      : []),
    ...(came === nothing ? [] : [`To take it back: carrel import-from --undo ${id}`]),
  ]
}

/** What was here already, or stays behind, is counted too. */
const leftAsItIs: ReadonlySet<string> = new Set([
  'progressKnown',
  'ratingsGivenHere',
  'reviewsWithoutRating',
  'privateListsLeft',
  'membersNotHere',
  'presetsRefused',
  'coversChosenHere',
  'coversUnreadable',
  'metadataSaidHere',
  'metadataRefused',
  'pluginSettingsLeft',
])

const lineOfUser = ({ name, ours, by: how }: ImportDto['users'][number], by: string): string => {
  // A store of one person does not say of whom.
  if (how === 'you') return `What is in it is of one person without a name there: it becomes that of ${by}.`
  return `User ${name}: ${ours === null ? 'is made' : `is here, ${ofUser[how]}`}.`
}

const lineOfStrangers = ({ users }: ImportDto, left: ReadonlySet<ImportPart>): readonly string[] => {
  const strangers = users.filter(({ ours }) => ours === null).length
  return strangers > 0 && left.has('users')
    ? [`  Of that, what belongs to people who are not here (${strangers}) stays behind without them.`]
    : []
}

const lineOfPrivateLists = (
  { privateLists }: ImportDto,
  left: ReadonlySet<ImportPart>,
  takesThem: boolean,
): readonly string[] => {
  if (privateLists === 0 || left.has('lists')) return []
  const lists = `Private lists: ${privateLists}. Nobody but their owner sees them there, and everybody would see them here`
  return [takesThem ? `${lists}: they are made, as you say.` : `${lists}: they are made with --private-lists alone.`]
}

const nothing = 'nothing'

const listed = (counts: readonly (readonly [string, number])[]): string =>
  counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${ofCount[name] ?? name}`)
    .join(', ') || nothing

const ofLibrary = {
  you: 'as you say',
  path: 'by where its files lie',
  name: 'by its name',
  none: 'by nothing',
} as const satisfies Record<ImportDto['libraries'][number]['by'], string>

const ofUser = {
  email: 'by the address',
  name: 'by the name',
  import: 'from an earlier import',
  none: 'by nothing',
} as const satisfies Record<Exclude<ImportDto['users'][number]['by'], 'you'>, string>

const whyNotHere = {
  no_library: 'its library is none of ours',
  no_book: 'there is no such book here',
  several_books: 'several books here may be meant',
  library_to_come: 'its library is yet to be made',
} as const satisfies Record<ImportDto['unmatched'][number]['reason'], string>

const ofConflict = {
  list_exists: 'a list of this name is here already, and theirs comes with the name of its server behind it',
  library_unknown: 'there is no library of this name in what was read',
  several_for_one: 'several of theirs are one book here',
  fewer_pages: 'the book has fewer pages here',
} as const satisfies Record<ImportDto['conflicts'][number]['kind'], string>

const whyLeft = {
  not_in_store: 'it is not in what was given',
  no_such_thing: 'there is nothing of the kind here',
  secret: 'it is a secret',
  not_a_persons_word: 'no person has said it',
  invalid: 'it is damaged, or points nowhere',
  too_much: 'it is more than is read',
  unreadable: 'it is in a form that is not known',
  not_matched: 'it belongs to books that are not here',
  not_yet: 'this cannot be taken over yet',
} as const satisfies Record<ImportDto['passedOver'][number]['reason'], string>

const ofCount: Readonly<Record<string, string>> = {
  progress: 'states and times of reading',
  progressKnown: 'states and times, which were here already',
  sessions: 'times of reading',
  completions: 'times that a book was finished',
  labels: 'series with sharing tags',
  sharingTags: 'sharing tags',
  ratingsGivenHere: 'ratings, for it is rated here',
  reviewsAsNotes: 'reviews without a rating, as notes',
  reviewsWithoutRating: 'reviews without a rating',
  wants: 'wishes to read',
  marksPlaced: 'marks that get their place in the book',
  readLists: 'reading lists',
  listsAddedTo: 'lists that something came to',
  privateListsLeft: 'private lists',
  placesKept: 'places in lists for books that are not here',
  membersNotHere: 'members of lists that are not here',
  presets: 'filter presets',
  presetsRefused: 'filter presets that do not fit',
  coversChosenHere: 'covers, for one is chosen here',
  coversUnreadable: 'covers that cannot be read',
  metadataOfSeries: 'series with metadata',
  metadataOfBooks: 'books with metadata',
  metadataSaidHere: 'pieces of metadata, for something is said here',
  metadataRefused: 'pieces of metadata that do not fit',
  onDeckRemovals: 'series taken off the deck',
  koreaderPositions: 'positions of KOReader',
  pluginSettings: 'plugins with settings',
  pluginSettingsLeft: 'plugins that are not here or set already',
}
