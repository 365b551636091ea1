import type { ReactNode } from 'react'
import styles from './reading-room.module.css'

/** Where each shelf stands, and its books: from where to where, and how high. */
const shelves = [
  {
    ground: 196,
    books: [
      [84, 12, 48],
      [96, 15, 56],
      [111, 10, 42],
      [121, 14, 52],
    ],
  },
  {
    ground: 270,
    books: [
      [84, 16, 54],
      [100, 10, 44],
      [110, 13, 50],
    ],
  },
  {
    ground: 344,
    books: [
      [84, 11, 46],
      [95, 14, 56],
      [109, 14, 50],
      [123, 10, 40],
      [133, 13, 54],
    ],
  },
  {
    ground: 420,
    books: [
      [84, 18, 58],
      [102, 14, 52],
    ],
  },
] as const

const booksOn = shelves
  .flatMap(({ ground, books }) => books.map(([at, width, height]) => `M${at} ${ground}v-${height}h${width}v${height}`))
  .join('')

/** Some lean against the others, and a plant and a box stand where there is room. */
const leaning = 'M126 270l11-49 12.500 3-11 46M120 420l13-56 13 3-12.500 53'

const ladder = 'M424 420l44-268M470 420l44-268M430.600 380h46M438.400 332h46M446.300 284h46M454.200 236h46M462 188h46'

const pile = 'M382 408h46v12h-46zM386 396h38v12h-38zM380 384h42v12h-42zM394 384v-15h16v15M410 373h5a4 4 0 0 1 0 8h-5'

/**
 * A reading room, for the pages that stand before the app: the alcove of our mark between a case of books and a ladder. It says nothing
 * to a screen reader.
 */
export const ReadingRoom = (): ReactNode => (
  <svg className={styles.room} viewBox="0 0 560 440" aria-hidden="true" focusable="false">
    <path className={styles.alcove} d="M190 420V186a90 90 0 0 1 180 0v234z" />
    <path className={styles.ground} d="M24 420h512" />
    <path d="M190 420V186a90 90 0 0 1 180 0v234" />
    <path className={styles.quiet} d="M178 420V186a102 102 0 0 1 204 0v234M280 24v40M264 90l9-26h14l9 26z" />
    <path d="M72 420V122h88v298M72 196h88M72 270h88M72 344h88" />
    <path className={styles.quiet} d={booksOn + leaning} />
    <path className={styles.quiet} d={ladder} />
    <path className={styles.paper} d={pile} />
    <circle className={styles.filled} cx="280" cy="216" r="21" />
    <path
      className={styles.paper}
      d="M280 336c-17-14-38-18-60-18v-64c22 0 43 4 60 18 17-14 38-18 60-18v64c-22 0-43 4-60 18zM280 272v64"
    />
    <path d="M212 420v-44h136v44M212 394h136" />
  </svg>
)
