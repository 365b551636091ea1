import type { ComponentProps, ReactNode } from 'react'
import { Backdrop, onBackdrop } from '../../../ui/cover/backdrop.tsx'
import { type Tone, toned } from '../../../ui/cover/toned.ts'

interface HeroProps extends Omit<ComponentProps<'section'>, 'style' | 'className'> {
  /** The colour of the cover, which its button and its bar take. */
  readonly tone: Tone | null
  readonly thumbhash: string | null
}

/** The head of the page: to its edges, and on what the cover of the book looks like from afar. */
export const Hero = ({ tone, thumbhash, children, ...rest }: HeroProps): ReactNode => (
  <section {...rest} {...toned(tone)}>
    <div className={`under-top ${onBackdrop}`}>
      <Backdrop key={thumbhash} thumbhash={thumbhash} />
      {children}
    </div>
  </section>
)
