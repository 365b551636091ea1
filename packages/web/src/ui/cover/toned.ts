import type { CSSProperties } from 'react'
import styles from './toned.module.css'

export interface Tone {
  readonly tone: string
  readonly onLight: string
  readonly onDark: string
}

interface Toned {
  readonly className: string | undefined
  readonly style: CSSProperties | undefined
}

/**
 * What an element gets that belongs to a work: `--tone-accent`, `--tone-text` and `--on-tone` are of its cover from there
 * down. Without a colour they stay the app's own.
 */
export const toned = (tone: Tone | null | undefined): Toned => ({
  className: tone ? styles.toned : undefined,
  style: tone
    ? ({ '--tone': tone.tone, '--on-light': tone.onLight, '--on-dark': tone.onDark } as CSSProperties)
    : undefined,
})
