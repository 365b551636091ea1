import { BookFault, type Fault } from '../book-format.ts'
import { bookLimits } from '../limits.ts'

interface ArchiveMember {
  readonly name: string
  readonly isLink: boolean
}

/** It keeps the members an archive may honestly have, each name once, and returns warnings about the others. */
export const safeMembers = <Named extends ArchiveMember>(
  members: readonly Named[],
): { readonly entries: readonly Named[]; readonly warnings: readonly Fault[] } => {
  if (!members.some(({ isLink, name }) => isLink || leadsElsewhere(name)) && areAllNamedApart(members)) {
    return { entries: members, warnings: [] }
  }
  const seen = new Set<string>()
  const entries: Named[] = []
  const left = { links: 0, paths: 0, twins: 0 }
  for (const member of members) {
    if (member.isLink) left.links += 1
    else if (leadsElsewhere(member.name)) left.paths += 1
    else if (seen.has(member.name)) left.twins += 1
    else {
      seen.add(member.name)
      entries.push(member)
    }
  }
  const warnings: Fault[] = []
  const warn = (count: number, what: string): void => {
    if (count > 0) warnings.push({ code: 'damaged', message: `${count} left out: ${what}` })
  }
  warn(left.links, 'members that are links or devices')
  warn(left.paths, 'members whose names lead out of the book')
  warn(left.twins, 'members with the name of an earlier one')
  return { entries, warnings }
}

/** Names that stand in order, as most do, need no list of those seen before. */
const areAllNamedApart = (members: readonly ArchiveMember[]): boolean =>
  members.every(({ name }, index) => index === 0 || name > (members[index - 1]?.name ?? '')) ||
  new Set(members.map(({ name }) => name)).size === members.length

const upwards = /(?:^|\/)\.\.[. ]*(?:\/|$)/

/** A name that would write elsewhere if somebody used it as a path. Nobody does here, and such a book was not made to be read. */
const leadsElsewhere = (name: string): boolean =>
  name.charCodeAt(0) === 0x2f ||
  name.charCodeAt(1) === 0x3a ||
  (name.includes('..') && upwards.test(name)) ||
  name.includes('\0')

/** Sizes as an archive states them; what comes out is counted besides. */
export const refuseBomb = (packed: number, unpacked: number): void => {
  const isBomb = unpacked > bookLimits.ratioFromBytes && unpacked > packed * bookLimits.ratio
  if (isBomb || unpacked > bookLimits.bookBytes) {
    throw new BookFault('limit', `The archive would unpack from ${packed} to ${unpacked} bytes`)
  }
}
