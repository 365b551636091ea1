import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icon.tsx'
import { Center, Row, Stack } from '../layout/layout.tsx'
import { useShortcuts } from '../keyboard/shortcuts.tsx'
import styles from './toasts.module.css'

interface Toast {
  readonly text: string
  readonly kind?: 'done' | 'problem'
  /** It restores the former state. It is offered instead of asking "are you sure" beforehand. */
  readonly undo?: () => void | Promise<void>
  /** Several of one kind become one that counts them: "12 volumes marked as read". */
  readonly counted?: Counted
}

interface Counted {
  /** Which kind it is. */
  readonly kind: string
  readonly count: number
  readonly textOf: (count: number) => string
}

interface Shown extends Toast {
  readonly id: number
}

/** The time is long enough to read the message and to reach the button; a problem stays until it is dismissed. */
const shownMs = 8000
const shownMax = 3
let toasts: readonly Shown[] = []
let lastId = 0
const listeners = new Set<() => void>()

const become = (next: readonly Shown[]): void => {
  toasts = next
  for (const listener of listeners) listener()
}

/** It says what has been done, in the corner of the page. */
export const toast = (message: Toast): void => {
  lastId += 1
  const alike = message.counted && toasts.find(({ counted }) => counted?.kind === message.counted?.kind)
  const others = toasts.filter((each) => each !== alike)
  become([...others, { ...(alike ? together(alike, message) : message), id: lastId }].slice(-shownMax))
}

/** What was done last is undone first. */
const together = (before: Toast, after: Toast): Toast => {
  const { counted } = after
  if (!counted || !before.counted) return after
  const count = before.counted.count + counted.count
  const undo = async (): Promise<void> => {
    await after.undo?.()
    await before.undo?.()
  }
  return {
    ...after,
    text: counted.textOf(count),
    counted: { ...counted, count },
    ...(before.undo && after.undo && { undo }),
  }
}

const putAway = (id: number): void => become(toasts.filter((each) => each.id !== id))

const takeBack = ({ id, undo }: Pick<Shown, 'id' | 'undo'>): void => {
  putAway(id)
  void undo?.()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Toasts appear here, and a screen reader says them. It exists once, around everything. */
export const Toasts = (): ReactNode => {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const last = shown.findLast(({ undo }) => undo !== undefined)
  // The button is far away for those who go from one thing to the next with the keyboard.
  useShortcuts(
    t('shortcuts.everywhere'),
    last ? [{ keys: 'u', label: t('shortcuts.undo'), run: () => takeBack(last) }] : [],
  )
  return (
    <Stack
      as="section"
      gap={2}
      className={styles.toasts}
      aria-label={t('notifications')}
      aria-live="polite"
      aria-relevant="additions"
    >
      {shown.map((each) => (
        <ToastCard key={each.id} {...each} />
      ))}
    </Stack>
  )
}

const ToastCard = ({ id, text, kind = 'done', undo }: Shown): ReactNode => {
  const { t } = useTranslation()
  // A message stays as long as the pointer or the keyboard focus is on it.
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (kind === 'problem' || isHeld) return undefined
    const timer = setTimeout(() => putAway(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, kind, isHeld])
  return (
    <Row
      gap={3}
      className={styles.toast}
      data-kind={kind}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon name={kind === 'problem' ? 'warning' : 'check'} size="small" />
      <span className={styles.text}>{text}</span>
      {undo === undefined ? null : (
        <button type="button" className={styles.undo} aria-keyshortcuts="u" onClick={() => takeBack({ id, undo })}>
          {t('undo')}
        </button>
      )}
      <Center as="button" type="button" className={styles.close} aria-label={t('dismiss')} onClick={() => putAway(id)}>
        <Icon name="close" size="small" />
      </Center>
    </Row>
  )
}
