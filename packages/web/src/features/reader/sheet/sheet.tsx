import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../../ui/keyboard/shortcuts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Center, Row } from '../../../ui/layout/layout.tsx'
import styles from './sheet.module.css'

interface SheetProps {
  readonly title: string
  /** Where it stands beside the pages; `end` unless it says otherwise. */
  readonly side?: 'start' | 'end'
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Settings beside what they change, or below it on a phone. It is part of the page: nothing is dimmed or held. */
export const Sheet = ({ title, side = 'end', onClose, children }: SheetProps): ReactNode => {
  const { t } = useTranslation(['reader', 'common'])
  const box = useRef<HTMLElement>(null)
  const grip = useGrip(onClose)
  useFocusInside(box)
  useShortcuts(t('keys.title'), [{ keys: 'Escape', label: t('common:close'), run: onClose }])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, wherever in it one is.
    <aside
      ref={box}
      className={styles.sheet}
      aria-label={title}
      tabIndex={-1}
      data-side={side}
      data-large={grip.isLarge}
      style={{ translate: `0 ${grip.pulled}px` }}
      onKeyDown={onKeyDown}
    >
      <Row className={styles.head} {...grip.handlers}>
        <h2 className={styles.title}>{title}</h2>
        <Center as="button" type="button" className={styles.close} aria-label={t('common:close')} onClick={onClose}>
          <Icon name="close" />
        </Center>
      </Row>
      <div className={styles.body}>{children}</div>
    </aside>
  )
}

/** The sheet has the focus while it is open; whatever had it before has it again. */
const useFocusInside = (box: React.RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const before = document.activeElement
    const { current } = box
    const first = current?.querySelector<HTMLElement>('[data-autofocus]') ?? current
    first?.focus({ preventScroll: true })
    return () => {
      const isInside = document.activeElement === null || document.activeElement === document.body
      if (before instanceof HTMLElement && (isInside || current?.contains(document.activeElement) === true))
        before.focus({ preventScroll: true })
    }
  }, [box])
}

const letGoPixels = 72

/** On a phone one pulls the sheet up to see more of it, and down to put it away. */
const useGrip = (onClose: () => void) => {
  const from = useRef<number>(undefined)
  const [pulled, setPulled] = useState(0)
  const [isLarge, setLarge] = useState(false)
  const end = (): void => {
    from.current = undefined
    setPulled(0)
    if (pulled > letGoPixels && !isLarge) onClose()
    else if (Math.abs(pulled) > letGoPixels / 2) setLarge(pulled < 0)
  }
  return {
    pulled,
    isLarge,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        const isButton = event.target instanceof Element && event.target.closest('button') !== null
        if (isButton || !window.matchMedia('(width < 48rem)').matches) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = event.clientY
      },
      onPointerMove: ({ clientY }: PointerEvent): void => {
        if (from.current !== undefined) setPulled(clientY - from.current)
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  }
}
