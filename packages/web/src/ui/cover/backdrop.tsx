import { type ReactNode, useCallback } from 'react'
import styles from './backdrop.module.css'
import { paintSoftThumbhash } from './thumbhash.ts'

/** What stands on it has this class: there is no quiet and no coloured text, for below it may be any picture. */
export const onBackdrop = styles.on ?? ''

/**
 * The cover from very far away, behind a hero: its thumbhash blown up, so that it is there at once and asks for nothing.
 * Where there is none the wash of the tone is all there is.
 */
export const Backdrop = ({ thumbhash }: { readonly thumbhash: string | null | undefined }): ReactNode => {
  const paint = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas && thumbhash != null) paintSoftThumbhash(canvas, thumbhash)
    },
    [thumbhash],
  )
  return (
    <div className={styles.backdrop} aria-hidden="true">
      {thumbhash == null ? null : <canvas className={styles.picture} ref={paint} />}
    </div>
  )
}
