import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../../ui/icon.tsx'
import { Center, Row } from '../../../../ui/layout/layout.tsx'
import { Quiet } from '../../sheet/fields.tsx'
import { placeAt, type Spot, sideOf } from '../engine/spots.ts'
import styles from './foot-note.module.css'

interface FootNoteProps {
  /** Its paragraphs; undefined while none is open. */
  readonly note: readonly string[] | undefined
  /** Where the text refers to it. */
  readonly spot: Spot | undefined
  readonly onClose: () => void
  readonly onGo: () => void
}

/** A note, where the text refers to it: one need not leave the page for it. */
export const FootNote = ({ note, spot, ...rest }: FootNoteProps): ReactNode =>
  note === undefined || spot === undefined ? null : <OpenNote note={note} spot={spot} {...rest} />

interface OpenNoteProps extends Pick<FootNoteProps, 'onClose' | 'onGo'> {
  readonly note: readonly string[]
  readonly spot: Spot
}

/** A note may be long: so much room is wanted for it. */
const noteRoom = 300

const OpenNote = ({ note, spot, onClose, onGo }: OpenNoteProps): ReactNode => {
  const { t } = useTranslation(['ebook', 'common'])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    box.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <>
      {/* A click beside it puts it away, as Escape does. */}
      <div className={styles.beside} onPointerDown={onClose} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it. */}
      <div
        ref={box}
        className={styles.note}
        role="dialog"
        aria-label={t('note.title')}
        tabIndex={-1}
        data-side={sideOf(spot, noteRoom)}
        style={placeAt(spot, Math.min(noteRoom, spot.top))}
        onKeyDown={onKeyDown}
      >
        <div className={styles.text}>
          {note.map((paragraph, index) => (
            <p key={index} dir="auto">
              {paragraph}
            </p>
          ))}
        </div>
        <Row gap={2} justify="between" className={styles.foot}>
          <Quiet label={t('note.go')} onClick={onGo} />
          <Center as="button" type="button" className={styles.close} aria-label={t('common:close')} onClick={onClose}>
            <Icon name="close" size="small" />
          </Center>
        </Row>
      </div>
    </>
  )
}
