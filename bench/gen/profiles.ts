/** It describes a generated library. */
export interface Profile {
  readonly name: ProfileName | 'XL'
  /** Folders of this many books each. */
  readonly series: number
  readonly booksEach: number
  /** Folders with one book. */
  readonly singles: number
  /** One folder more, with all of these in it. */
  readonly inOneFolder: number
  readonly pages: readonly [fewest: number, most: number]
  readonly pictures: 'tiny' | 'large'
}

export const profileNames = ['S', 'M', 'L-1k', 'L-10k', 'L', 'BIG'] as const
export type ProfileName = (typeof profileNames)[number]

const like = (name: Profile['name'], sizes: Pick<Profile, 'series' | 'singles' | 'inOneFolder'>): Profile => ({
  name,
  booksEach: 20,
  pages: [4, 24],
  pictures: 'tiny',
  ...sizes,
})
/** Books of few pages: what a file costs, whatever is in it. */
const thin = { pages: [1, 4] } as const

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  S: like('S', { series: 45, singles: 100, inOneFolder: 0 }),
  M: like('M', { series: 490, singles: 200, inOneFolder: 0 }),
  'L-1k': { ...like('L-1k', { series: 47, singles: 10, inOneFolder: 50 }), ...thin },
  'L-10k': { ...like('L-10k', { series: 470, singles: 100, inOneFolder: 500 }), ...thin },
  L: { ...like('L', { series: 4700, singles: 1000, inOneFolder: 5000 }), ...thin },
  BIG: {
    name: 'BIG',
    series: 1,
    booksEach: 6,
    singles: 0,
    inOneFolder: 0,
    pages: [160, 160],
    pictures: 'large',
  },
}

/** Rows without files, for lists: how many books there are. */
export const seedProfiles = {
  '10k': { ...like('XL', { series: 490, singles: 200, inOneFolder: 0 }), ...thin },
  '20k': { ...like('XL', { series: 980, singles: 400, inOneFolder: 0 }), ...thin },
  '100k': { ...like('XL', { series: 4900, singles: 2000, inOneFolder: 0 }), ...thin },
  '1M': { ...like('XL', { series: 49_000, singles: 20_000, inOneFolder: 0 }), ...thin },
} as const satisfies Record<string, Profile>
export type SeedName = keyof typeof seedProfiles

/** Each is ten times the one before: what grows with a library is seen by them. */
export const growingSizes = ['10k', '100k', '1M'] as const satisfies readonly SeedName[]
