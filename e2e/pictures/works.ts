import type { Scene } from './scenery.ts'

/** How a title is set: each series has one way. */
export type TitleSetting = 'poster' | 'hero' | 'quiet' | 'grand'

/** What the pictures show belongs to nobody: it is written and drawn for them; the novels are free for all. */
export interface Work {
  readonly kind: 'manga' | 'comic' | 'novel'
  readonly title: string
  readonly author: string
  readonly volumes: number
  readonly hue: number
  readonly lands: readonly Scene['land'][]
  readonly subjects: readonly Scene['subject'][]
  readonly setting?: TitleSetting
  readonly hour?: 'night' | 'dusk' | 'day' | undefined
  /** By how much the colours of a volume are turned against those of the one before. */
  readonly turn?: number
  readonly genres?: string
  readonly publisher?: string
  readonly year?: number
  readonly summary?: string
  /** Volumes that are not there. */
  readonly without?: readonly number[]
}

const work = (given: Work): Work => given

export const works: readonly Work[] = [
  work({
    kind: 'manga',
    title: 'The Lantern Keeper',
    author: 'Haruka Mizuno',
    volumes: 14,
    hue: 285,
    lands: ['sea', 'hills', 'sea', 'mountains'],
    subjects: ['lighthouse', 'wanderer', 'boat', 'pair'],
    genres: 'Adventure, Fantasy, Drama',
    publisher: 'Kitsune Press',
    year: 2009,
    turn: 9,
    without: [11],
    summary:
      'On an island that no map shows, fourteen-year-old Emi keeps the last lantern alight. When a ship without a crew drifts into the bay, she learns that the light was never meant to guide anyone home.',
  }),
  work({
    kind: 'manga',
    title: 'Night Parade Detectives',
    author: 'Ren Aoyama',
    volumes: 8,
    hue: 20,
    lands: ['city', 'forest'],
    subjects: ['pair', 'birds', 'wanderer'],
    hour: 'night',
    setting: 'hero',
    genres: 'Mystery, Supernatural',
    publisher: 'Kitsune Press',
    year: 2016,
    summary:
      'A runaway shrine maiden and a ghost who has forgotten his name solve the cases that nobody who is alive will take.',
  }),
  work({
    kind: 'manga',
    title: 'Tea House at the End of the World',
    author: 'Naoko Seki',
    volumes: 6,
    hue: 150,
    lands: ['mountains', 'forest'],
    subjects: ['tree', 'pair'],
    hour: 'day',
    setting: 'quiet',
    genres: 'Slice of life',
    publisher: 'Small Bell',
    year: 2018,
    summary: 'The road ends where Fumi pours her tea. Whoever comes that far has a story, and time to tell it.',
  }),
  work({
    kind: 'manga',
    title: 'Moonlit Library',
    author: 'Haruka Mizuno',
    volumes: 6,
    hue: 245,
    lands: ['city', 'sea'],
    subjects: ['castle', 'wanderer', 'whale'],
    hour: 'night',
    setting: 'grand',
    genres: 'Fantasy',
    publisher: 'Kitsune Press',
    year: 2021,
    summary: 'Books that were never written stand in a library that opens at midnight. One of them is about you.',
  }),
  work({
    kind: 'comic',
    title: 'Captain Meridian',
    author: 'Lou Castellan',
    volumes: 9,
    hue: 210,
    lands: ['city', 'mountains'],
    subjects: ['giant', 'comet', 'birds'],
    setting: 'hero',
    turn: 38,
    genres: 'Superhero, Science Fiction',
    publisher: 'Harbour Comics',
    year: 2014,
    summary: 'She crosses the date line in the wrong direction and arrives a day before the end of the world.',
  }),
  work({
    kind: 'comic',
    title: 'Orbit & Ash',
    author: 'Ada Vaughan',
    volumes: 7,
    hue: 330,
    lands: ['dunes', 'mountains'],
    subjects: ['comet', 'pair', 'giant'],
    genres: 'Science Fiction, Romance',
    publisher: 'Picture House',
    year: 2019,
    turn: 22,
    summary: 'Two mechanics on opposite sides of a war share one radio channel and a broken engine.',
  }),
  work({
    kind: 'comic',
    title: 'Iron Harbor',
    author: 'Marcus Hale',
    volumes: 8,
    hue: 175,
    lands: ['city', 'sea'],
    subjects: ['train', 'boat', 'wanderer'],
    genres: 'Noir, Crime',
    publisher: 'Harbour Comics',
    year: 2011,
    summary: 'The docks have their own law, and Inspector Rook is the only one who still writes it down.',
  }),
  work({
    kind: 'comic',
    title: 'Steel Orchard',
    author: 'Kenji Aramaki',
    volumes: 12,
    hue: 35,
    lands: ['hills', 'dunes', 'forest'],
    subjects: ['giant', 'tree', 'wanderer'],
    genres: 'Science Fiction',
    publisher: 'Picture House',
    year: 2015,
    turn: 14,
    summary: 'Machines that were built to harvest have learnt to plant. Nobody asked what.',
  }),
  work({
    kind: 'comic',
    title: 'Elevator to the Clouds',
    author: 'Min Seo',
    volumes: 5,
    hue: 230,
    lands: ['city'],
    subjects: ['birds', 'whale'],
    hour: 'day',
    setting: 'quiet',
    genres: 'Fantasy',
    publisher: 'Skyline',
    year: 2022,
    turn: 20,
    summary: 'Floor twelve is a forest. Floor thirteen remembers you.',
  }),
  work({
    kind: 'comic',
    title: 'Les Cartographes',
    author: 'Élise Morel',
    volumes: 6,
    hue: 95,
    lands: ['mountains', 'sea'],
    subjects: ['boat', 'castle', 'pair'],
    setting: 'grand',
    genres: 'Adventure, Historical',
    publisher: 'Atelier du Quai',
    year: 2012,
    summary: 'Three sisters draw the coasts that their father invented.',
  }),
  work({
    kind: 'comic',
    title: 'Das Haus am Fluss',
    author: 'Lena Brandt',
    volumes: 3,
    hue: 125,
    lands: ['forest', 'hills'],
    subjects: ['castle', 'tree'],
    setting: 'quiet',
    hour: 'dusk',
    genres: 'Drama',
    publisher: 'Kranich Verlag',
    year: 2017,
    summary: 'Every summer one room of the house is missing.',
  }),
  ...(
    [
      ['Dracula', 'Bram Stoker', 20, 1897],
      ['Frankenstein', 'Mary Shelley', 260, 1818],
      ['The War of the Worlds', 'H. G. Wells', 8, 1898],
      ['The Time Machine', 'H. G. Wells', 190, 1895],
      ['Alice’s Adventures in Wonderland', 'Lewis Carroll', 265, 1865],
      ['Wuthering Heights', 'Emily Brontë', 300, 1847],
      ['The Hound of the Baskervilles', 'Arthur Conan Doyle', 150, 1902],
      ['The Picture of Dorian Gray', 'Oscar Wilde', 340, 1890],
      ['A Study in Scarlet', 'Arthur Conan Doyle', 25, 1887],
    ] as const
  ).map(([title, author, hue, year]) =>
    work({ kind: 'novel', title, author, hue, year, volumes: 1, lands: [], subjects: [] }),
  ),
]
