import type { ReactNode } from 'react'

/** Pictures beside the words of a choice, on the grid of the app's icons. */
const drawings = {
  auto: 'M4 5h8v14H4zM15 8h5v8h-5z',
  one: 'M7 4h10v16H7z',
  two: 'M3 5h8.5v14H3zM12.5 5H21v14h-8.5z',
  strip: 'M8 2v20M16 2v20M8 8h8M8 15h8',
  book: 'M5 5a2 2 0 0 1 2-2h12v15H7a2 2 0 0 0-2 2zM5 20a2 2 0 0 0 2 1h12v-3',
  ltr: 'M4 12h16M15 6l6 6-6 6',
  rtl: 'M20 12H4M9 6l-6 6 6 6',
  ttb: 'M12 4v16M6 15l6 6 6-6',
  page: 'M4 4h16v16H4zM8 8h8v8H8z',
  width: 'M3 5v14M21 5v14M6 12h12M9 9l-3 3 3 3M15 9l3 3-3 3',
  height: 'M5 3h14M5 21h14M12 6v12M9 9l3-3 3 3M9 15l3 3 3-3',
  original: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5M9 9h6v6H9z',
  whole: 'M2.5 7h19v10h-19z',
  split: 'M2.5 7h19v10h-19zM12 4.5v2M12 9v2M12 13v2M12 17.5v2',
  turn: 'M7 3h10v18H7zM10.5 9.5l1.5-2 1.5 2M12 8v7',
  sides: 'M3 5h18v14H3zM9 5v14M15 5v14',
  'one-hand': 'M3 5h18v14H3zM3 9h18M9 9v6h6V9',
  lines: 'M5 8h14M5 12h9M5 16h6',
  contents: 'M4 6h10M4 12h16M4 18h7',
  letters: 'M3 19l5.5-14L14 19M5 14h7M15.5 19l3-8 3 8M16.5 16.5h4',
  off: 'M3 5h18v14H3zM8.5 9l7 6M15.5 9l-7 6',
} as const

export type DrawingName = keyof typeof drawings

export const isDrawing = (name: string): name is DrawingName => Object.hasOwn(drawings, name)

interface DrawingProps {
  readonly name: DrawingName
  readonly size?: number
}

export const Drawing = ({ name, size = 18 }: DrawingProps): ReactNode => (
  <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
    <path
      d={drawings[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
