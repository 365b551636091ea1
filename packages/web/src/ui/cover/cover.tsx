import { type ReactNode, useCallback, useState } from 'react'
import styles from './cover.module.css'
import { Icon, type IconName } from '../icon.tsx'
import { Center } from '../layout/layout.tsx'
import { paintThumbhash } from './thumbhash.ts'

export interface CoverProps {
  /** `null`: there is none, and the icon stands for it. */
  readonly src: string | null
  /** The server sends a few bytes, base64, that look like the picture from afar. */
  readonly thumbhash?: string | null | undefined
  /** Empty where the title stands beside it. */
  readonly alt: string
  readonly icon?: IconName
  /** The first on the page: they are worth hurrying for, and are seen as soon as they are there. */
  readonly isFirst?: boolean
  /** One of many beside each other, of which most are never seen: it is fetched when it is nearly seen. */
  readonly isPatient?: boolean
}

/** A cover, in a frame that has its size from the start; until it is here one sees what it will be. */
export const Cover = ({
  src,
  thumbhash,
  alt,
  icon = 'book',
  isFirst = false,
  isPatient = false,
}: CoverProps): ReactNode => {
  const [state, setState] = useState<'coming' | 'here'>('coming')
  const [missing, setMissing] = useState<string>()
  const [isNear, setNear] = useState(!isPatient)
  const watchNear = useCallback((element: HTMLDivElement | null) => whenNear(element, () => setNear(true)), [])
  const isMissing = src === null || src === missing
  return (
    <div className={styles.cover} ref={isNear ? null : watchNear}>
      {isMissing ? (
        <Center as="span" className={styles.none}>
          <Icon name={icon} size="large" />
        </Center>
      ) : (
        <>
          {thumbhash == null || state === 'here' ? null : <Placeholder thumbhash={thumbhash} />}
          {isNear ? (
            <img
              className={styles.picture}
              data-state={state}
              data-fades={isFirst ? undefined : ''}
              src={src}
              alt={alt}
              loading={isFirst ? 'eager' : 'lazy'}
              decoding={isFirst ? 'sync' : 'async'}
              draggable={false}
              onLoad={() => setState('here')}
              onError={() => setMissing(src)}
            />
          ) : null}
        </>
      )}
    </div>
  )
}

/** Browsers fetch what is lazy from a few screens away; a shelf is nearly all within that. */
const nearby = '200px'

/** Until somebody scrolls only what is in view is fetched: they may never do. */
let hasScrolled = false
document.addEventListener('scroll', () => (hasScrolled = true), { capture: true, once: true })

const whenNear = (element: HTMLElement | null, tell: () => void): (() => void) | undefined => {
  if (!element) return undefined
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) tell()
    },
    { rootMargin: hasScrolled ? nearby : '0px' },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

const Placeholder = ({ thumbhash }: { readonly thumbhash: string }): ReactNode => {
  const paint = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas) paintThumbhash(canvas, thumbhash)
    },
    [thumbhash],
  )
  return <canvas className={styles.placeholder} ref={paint} aria-hidden="true" />
}
