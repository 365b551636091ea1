import { type ComponentProps, type ReactNode, useCallback } from 'react'
import { paintThumbhash } from '../cover/thumbhash.ts'
import { type Tone, toned } from '../cover/toned.ts'
import styles from './hero.module.css'

interface HeroProps extends Omit<ComponentProps<'section'>, 'style'> {
  /** The colour of the cover, which its button and its bar take. */
  readonly tone: Tone | null
  /** The cover as a few bytes: blown up and blurred it lies behind everything, without a request. */
  readonly thumbhash: string | null
}

/** The head of a page that belongs to a work: to the edges of the page, and on what its cover looks like from afar. */
export const Hero = ({ tone, thumbhash, className, children, ...rest }: HeroProps): ReactNode => {
  const { className: toneClass, style } = toned(tone)
  return (
    <section {...rest} className={toneClass} style={style}>
      <div className={`${styles.hero ?? ''} ${className ?? ''}`}>
        {thumbhash === null ? null : <Backdrop key={thumbhash} thumbhash={thumbhash} />}
        {children}
      </div>
    </section>
  )
}

const Backdrop = ({ thumbhash }: { readonly thumbhash: string }): ReactNode => {
  const paint = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas) paintThumbhash(canvas, thumbhash)
    },
    [thumbhash],
  )
  return (
    <div className={styles.backdrop} aria-hidden="true">
      <canvas className={styles.picture} ref={paint} />
    </div>
  )
}
