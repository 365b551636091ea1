/** A row of a list, and its place there: from it on the list can be read without what is before it. */
export interface Anchor {
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

type FindAnchor = (offset: number, near: Anchor | undefined) => Promise<Anchor | undefined>

/** A list has at most this many anchors: skipping fewer rows costs less than looking for another anchor. */
const anchorsMax = 128
const apartMin = 2000

/**
 * A row near a page, to read it from. What is known of the list is in `anchors`; where that is far away, one row after
 * the other is looked for on the way, and known from then on. Undefined: the beginning or the end of the list is near.
 */
const anchorNear = async (anchors: Anchor[], stretch: Stretch, find: FindAnchor): Promise<Anchor | undefined> => {
  const apart = Math.max(apartMin, Math.ceil(stretch.total / anchorsMax))
  const wanted = placeNear(stretch, apart)
  if (wanted === undefined) return undefined
  let near = nearestTo(wanted, anchors, stretch.total)
  let at = near?.offset ?? (wanted > stretch.total / 2 ? Math.ceil(stretch.total / apart) * apart : 0)
  while (at !== wanted) {
    at += at < wanted ? apart : -apart
    near = await find(at, near)
    if (!near) return undefined
    anchors.push(near)
  }
  return near
}

/** The ways to rows of a list. */
export interface Paths<Rows> {
  readonly find: FindAnchor
  readonly read: (near: Anchor | undefined) => Promise<Rows>
}

/** The anchors of one list, and whether what was read by one is a page of the list as it is. */
interface Anchored {
  readonly anchors: Anchor[]
  readonly isSame: () => Promise<boolean>
}

/** A page of a long list, by an anchor; if the list became another one meanwhile, once more without. */
export const readNear = async <Rows>(
  { anchors, isSame }: Anchored,
  stretch: Stretch,
  { find, read }: Paths<Rows>,
): Promise<Rows> => {
  const near = await anchorNear(anchors, stretch, find)
  const rows = await read(near)
  return near === undefined || (await isSame()) ? rows : read(undefined)
}

/** The anchor never lies within the page: the page is read from the anchor on, or back from it. */
const placeNear = ({ offset, limit, total }: Stretch, apart: number): number | undefined => {
  const nearest = Math.round(offset / apart) * apart
  const place = nearest > offset && nearest < offset + limit ? nearest - apart : nearest
  return place <= 0 || place >= total ? undefined : place
}

/** Undefined: nothing is nearer than the beginning, or the end. */
const nearestTo = (place: number, anchors: readonly Anchor[], total: number): Anchor | undefined => {
  let best: Anchor | undefined
  let distance = Math.min(place, total - place)
  for (const anchor of anchors) {
    const away = Math.abs(anchor.offset - place)
    if (away >= distance) continue
    best = anchor
    distance = away
  }
  return best
}
