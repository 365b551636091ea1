/** A row of a list, and its place there: from it on the list can be read without what is before it. */
export interface Cursor {
  readonly offset: number
  readonly rank: number
  /** They are the values of the order, by column, with the id. */
  readonly values: Readonly<Record<string, string | number | null>>
}

export interface Stretch {
  readonly offset: number
  readonly limit: number
  readonly total: number
}

type FindCursor = (offset: number, near: Cursor | undefined) => Promise<Cursor | undefined>

/** A list has at most this many cursors: skipping fewer rows costs less than looking for another cursor. */
const cursorsMax = 128
const apartMin = 2000

/**
 * A row near a page, to read it from. What is known of the list is in `cursors`; where that is far away, one row after
 * the other is looked for on the way, and known from then on. Undefined: the beginning or the end of the list is near.
 */
const cursorNear = async (cursors: Cursor[], stretch: Stretch, find: FindCursor): Promise<Cursor | undefined> => {
  const apart = Math.max(apartMin, Math.ceil(stretch.total / cursorsMax))
  const target = offsetNear(stretch, apart)
  if (target === undefined) return undefined
  let near = nearestTo(target, cursors, stretch.total)
  let position = near?.offset ?? (target > stretch.total / 2 ? Math.ceil(stretch.total / apart) * apart : 0)
  while (position !== target) {
    position += position < target ? apart : -apart
    near = await find(position, near)
    if (!near) return undefined
    cursors.push(near)
  }
  return near
}

/** The ways to rows of a list. */
export interface Paths<Rows> {
  readonly find: FindCursor
  readonly read: (near: Cursor | undefined) => Promise<Rows>
}

/** The cursors of one list, and whether what was read by one is a page of the list as it is. */
interface CursorPaging {
  readonly cursors: Cursor[]
  readonly isSame: () => Promise<boolean>
}

/** A page of a long list, by a cursor; if the list became another one meanwhile, once more without. */
export const readNear = async <Rows>(
  { cursors, isSame }: CursorPaging,
  stretch: Stretch,
  { find, read }: Paths<Rows>,
): Promise<Rows> => {
  const near = await cursorNear(cursors, stretch, find)
  const rows = await read(near)
  return near === undefined || (await isSame()) ? rows : read(undefined)
}

/** The cursor never lies within the page: the page is read from the cursor on, or back from it. */
const offsetNear = ({ offset, limit, total }: Stretch, apart: number): number | undefined => {
  const nearest = Math.round(offset / apart) * apart
  const target = nearest > offset && nearest < offset + limit ? nearest - apart : nearest
  return target <= 0 || target >= total ? undefined : target
}

/** Undefined: nothing is nearer than the beginning, or the end. */
const nearestTo = (target: number, cursors: readonly Cursor[], total: number): Cursor | undefined => {
  let best: Cursor | undefined
  let distance = Math.min(target, total - target)
  for (const cursor of cursors) {
    const away = Math.abs(cursor.offset - target)
    if (away >= distance) continue
    best = cursor
    distance = away
  }
  return best
}
