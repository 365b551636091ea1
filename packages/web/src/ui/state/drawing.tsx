import type { ReactNode } from 'react'
import type { IconName } from '../icon.tsx'
import styles from './drawing.module.css'

interface Lines {
  /** The one shape that is filled. */
  readonly shape: string
  readonly lines: string
  /** Paper, before the rest: cards, an open book. */
  readonly paper?: string
  readonly dots?: readonly (readonly [x: number, y: number, radius: number])[]
}

/** Things of a reading room on a grid of 160 by 104, all on one ground line. */
const drawings = {
  // An alcove with somebody in it, between the shelves.
  libraries: {
    shape: 'M52 92V46a28 28 0 0 1 56 0v46z',
    lines: 'M52 92V46a28 28 0 0 1 56 0v46M120 92V70h7v22M127 92V64h8v28M26 92V74h6v18M32 92l3-21 6 1-3 20',
    paper: 'M80 76c-5-4-11-5-18-5V53c7 0 13 1 18 5 5-4 11-5 18-5v18c-7 0-13 1-18 5zM80 58v18',
    dots: [[80, 42, 6]],
  },
  // A shelf with hardly anything on it.
  books: {
    shape: 'M42 24h76v68H42z',
    lines: 'M42 92V24h76v68M42 57h76M50 57V37h8v20M58 57V42h6v15M66 57l5-17 6 2-4.5 15M98 92V72h8v20M88 92l4-19 6 1.3',
  },
  // A lamp that lights an empty desk.
  nothing: {
    shape: 'M98 40l26 52H60z',
    lines: 'M48 92h22M59 92V58l24-30M82 24l20 14-10 4-13-9zM114 92v-7h26v7M118 85v-6h20v6',
    dots: [[59, 58, 3]],
  },
  // A cabinet with a drawer of cards.
  list: {
    shape: 'M38 44h84v48H38z',
    lines: 'M38 92V44h84v48M38 68h84M80 44v48M55 56h8M97 80h8M55 80h8',
    paper: 'M88 50V28h26v22M92 44V22h26v22M84 52h34v12H84z',
    dots: [[101, 58, 2]],
  },
  // A ladder against a case that is still to be filled.
  history: {
    shape: 'M34 22h60v70H34z',
    lines:
      'M34 92V22h60v70M34 46h60M34 69h60M42 46V31h7v15M49 46V34h6v12M78 92V77h7v15M100 92l14-66M118 92l14-66M103 78h18M106.5 62h18M110 46h18',
  },
  // The alcove is shut.
  connection: {
    shape: 'M52 92V46a28 28 0 0 1 56 0v46z',
    lines: 'M52 92V46a28 28 0 0 1 56 0v46M80 18v74M60 84h12M88 84h12M108 78h8c9 0 7 14 16 14M28 92V78h8v14',
    dots: [
      [74, 60, 2.5],
      [86, 60, 2.5],
    ],
  },
} as const satisfies Readonly<Record<string, Lines>>

export type DrawingName = keyof typeof drawings

const byIcon: Partial<Readonly<Record<IconName, DrawingName>>> = {
  library: 'libraries',
  home: 'books',
  series: 'books',
  book: 'books',
  search: 'nothing',
  filter: 'nothing',
  check: 'nothing',
  eye: 'nothing',
  clock: 'history',
  chart: 'history',
  warning: 'connection',
  lock: 'connection',
  plug: 'connection',
}

/** What an empty place shows: a list, unless its icon says what else would be there. */
export const drawingOf = (icon: IconName): DrawingName => byIcon[icon] ?? 'list'

/** It says nothing to a screen reader: the words beside it do. */
export const Drawing = ({ name }: { readonly name: DrawingName }): ReactNode => {
  const { shape, lines, paper, dots = [] }: Lines = drawings[name]
  return (
    <svg className={styles.drawing} viewBox="0 0 160 104" aria-hidden="true" focusable="false">
      <path className={styles.ground} d="M12 92h136" />
      <path className={styles.shape} d={shape} />
      <path d={lines} />
      {paper === undefined ? null : <path className={styles.paper} d={paper} />}
      {dots.map(([x, y, radius]) => (
        <circle key={`${x} ${y}`} className={styles.dot} cx={x} cy={y} r={radius} />
      ))}
    </svg>
  )
}
