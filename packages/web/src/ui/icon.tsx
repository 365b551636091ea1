import type { ReactNode } from 'react'
import styles from './icon.module.css'

/** The icons are drawn on a grid of 24, with a line of 1.75. */
const drawings = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  library: 'M5 4v16M9 4v16M5 4h4M5 20h4M9 6h5v14H9M15.5 7.2l3.2-.9 3.1 13-3.2.9z',
  series: 'M4 7h10v13H4zM7 7V4h10v13h-3',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  book: 'M5 5a2 2 0 0 1 2-2h12v15H7a2 2 0 0 0-2 2zM5 20a2 2 0 0 0 2 1h12v-3',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  heart: 'M12 20S4 15 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15 12 20 12 20z',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  collection: 'M4 8h16v12H4zM6 5h12M8 2.5h8',
  settings:
    'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM10 3h4l1 3 3-1 2 4-2 2v2l2 2-2 4-3-1-1 3h-4l-1-3-3 1-2-4 2-2v-2L4 9l2-4 3 1z',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  people:
    'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.6-3.6 3.2-5 6.5-5s5.9 1.4 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.5M18 14.8c2 .7 3.2 2.3 3.5 4.7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  onwards: 'M9 5l7 7-7 7',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  check: 'M4.5 12.5l5 5L20 7',
  undo: 'M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12H9',
  more: 'M5.5 11.5a.5.5 0 1 1 0 1 .5.5 0 0 1 0-1zM12 11.5a.5.5 0 1 1 0 1 .5.5 0 0 1 0-1zM18.5 11.5a.5.5 0 1 1 0 1 .5.5 0 0 1 0-1z',
  filter: 'M4 6h16M7 12h10M10 18h4',
  sort: 'M7 4v16M4 17l3 3 3-3M17 20V4M14 7l3-3 3 3',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  play: 'M8 5l11 7-11 7z',
  pause: 'M9 5v14M15 5v14',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  key: 'M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12l8-8M16 7l3 3',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1.2',
  leave: 'M14 4H6v16h8M10 12h11M17 8l4 4-4 4',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M18 10h.01M7 14h.01M10 14h5M18 14h.01',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.5h.01',
  info: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 11v6M12 7.5h.01',
  folder: 'M3 6h6l2 2.5h10V19H3z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
  star: 'M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8z',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2',
  merge: 'M6 4v5c0 4 6 3 6 8v3M18 4v5c0 4-6 3-6 8',
  split: 'M6 20v-5c0-4 6-3 6-8V4M18 20v-5c0-4-6-3-6-8',
  refresh: 'M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 0 0-13.5-2.5M5 14a7.5 7.5 0 0 0 13.5 2.5',
  expand: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  shrink: 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5',
  bell: 'M12 3.5a5.5 5.5 0 0 1 5.5 5.5v4.5l2 3h-15l2-3V9A5.5 5.5 0 0 1 12 3.5zM10 20h4',
  spark: 'M11 3l2 6.5 6.5 2.5-6.5 2.5-2 6.5-2-6.5L2.5 12 9 9.5zM19 3v4M17 5h4',
  chart: 'M4 20h16M6.5 17v-5M12 17V5M17.5 17V9',
  device: 'M7 3h10v18H7zM11 18h2',
  screen: 'M3 4h18v12H3zM8 20h8M12 16v4',
  server: 'M4 4h16v7H4zM4 13h16v7H4z',
  activity: 'M3 12h4l3-7 4 14 3-7h4',
  plug: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  stop: 'M6 6h12v12H6z',
} as const

export type IconName = keyof typeof drawings

/**
 * These point along a line of text: where that is read from the right, they point the other way. `left` and `right` are
 * for what lies there in every language, such as the next page of a book.
 */
const pointing: ReadonlySet<IconName> = new Set<IconName>(['back', 'onwards', 'undo', 'leave', 'list'])

/** These can be filled: they are one shape, closed all around. */
const closed: ReadonlySet<IconName> = new Set<IconName>(['bell', 'bookmark', 'heart', 'star'])

interface IconProps {
  readonly name: IconName
  readonly size?: 'small' | 'medium' | 'large'
}

/** A picture beside words, or inside of something that has a name: it says nothing to a screen reader. */
export const Icon = ({ name, size = 'medium' }: IconProps): ReactNode => (
  <svg
    className={styles.icon}
    data-size={size}
    data-points={pointing.has(name) ? '' : undefined}
    data-is-closed={closed.has(name) ? '' : undefined}
    viewBox="0 0 24 24"
    aria-hidden="true"
    focusable="false"
  >
    <path d={drawings[name]} />
  </svg>
)
