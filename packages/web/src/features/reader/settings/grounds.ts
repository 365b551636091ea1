import type { ReaderSettings } from '@carrel/api'
import type { CSSProperties } from 'react'

export type Ground = Required<ReaderSettings>['background']

/** What lies around the pages. Those of the app and of the page are known where they are shown. */
const groundColours: Readonly<Record<Exclude<Ground, 'theme' | 'page'>, string>> = {
  black: '#000000',
  dark: '#1c1f1e',
  grey: '#8a8f8c',
  paper: '#f2efe6',
  white: '#ffffff',
}

/** Pages of a PDF are paper, and lie on a table. */
const ofPdf = '#2a2d2c'

interface Shown {
  readonly background: Ground
  readonly isPdf: boolean
  /** Somebody has chosen it. */
  readonly isChosen: boolean
  /** The colour at the edge of the page in view, where it is known. */
  readonly edge: string | undefined
}

export const groundOf = ({ background, isPdf, isChosen, edge }: Shown): string => {
  if (isPdf && !isChosen) return ofPdf
  if (background === 'theme') return 'var(--app-ground)'
  return background === 'page' ? (edge ?? groundColours.black) : groundColours[background]
}

export const swatchOf = (ground: Ground): CSSProperties => {
  if (ground === 'page') return { backgroundImage: 'linear-gradient(135deg, #0c2a52, #c9a23c)' }
  return { backgroundColor: ground === 'theme' ? 'var(--app-ground)' : groundColours[ground] }
}
