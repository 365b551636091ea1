import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../../navigation/link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Shelf, Stack } from '../../../ui/layout/layout.tsx'
import styles from './shelf.module.css'

interface ShelfFrameProps {
  readonly name: string
  /** The whole list of which the shelf shows the beginning. */
  readonly to?: string | undefined
  /** It says where the shelf comes from. */
  readonly note?: string | undefined
  /** How many cards there are: a few take no more room than they need. */
  readonly count: number
  readonly children: ReactNode
}

/** A row of cards under a heading that leads to all of them. */
export const ShelfFrame = ({ name, to, note, count, children }: ShelfFrameProps): ReactNode => {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const position = usePosition(list)
  return (
    <Stack as="section" gap="hair" aria-labelledby={id} className={styles.section} data-count={Math.min(count, 4)}>
      <Row as="header" gap={2} className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {to === undefined ? name : <AppLink to={to}>{name}</AppLink>}
        </h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        <Arrows list={list} name={name} position={position} />
      </Row>
      <Shelf
        as="ul"
        gap={4}
        className={styles.shelf}
        aria-label={name}
        data-goes-on={position.isLong && !position.atEnd}
        ref={list}
        onKeyDown={moveFocus}
      >
        {children}
      </Shelf>
    </Stack>
  )
}

/** The arrow keys go from card to card, and to the first and the last. */
const moveFocus = (event: KeyboardEvent<HTMLUListElement>): void => {
  const cards = [...event.currentTarget.children]
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const onwards = towards(event.currentTarget)
  const to = { ArrowRight: at + onwards, ArrowLeft: at - onwards, Home: 0, End: cards.length - 1 }[event.key]
  if (at === -1 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  cards[to]?.querySelector('a')?.focus()
}

/** In Arabic a shelf begins at the right. */
const towards = (element: Element): 1 | -1 => (getComputedStyle(element).direction === 'rtl' ? -1 : 1)

interface ArrowsProps {
  readonly list: RefObject<HTMLUListElement | null>
  readonly name: string
  readonly position: Position
}

/**
 * The arrows are for users with a mouse, who cannot swipe the shelf; where all of it is visible there is nothing to
 * scroll.
 */
const Arrows = ({ list, name, position: { isLong, atStart, atEnd } }: ArrowsProps): ReactNode => {
  const { t } = useTranslation('home')
  if (!isLong) return null
  const push = (by: 1 | -1) => () => {
    const element = list.current
    if (!element) return
    // A whole card of what was seen stays in view, so that nobody loses their place.
    const card = element.firstElementChild?.clientWidth ?? 0
    element.scrollBy({ left: by * onwardsIn(element) * Math.max(card, element.clientWidth - 1.5 * card) })
  }
  return (
    <Row as="span" gap={1} align="stretch" inline className={styles.arrows}>
      <ActionIcon
        variant="default"
        className={styles.arrow ?? ''}
        aria-label={t('back', { shelf: name })}
        disabled={atStart}
        onClick={push(-1)}
      >
        <Icon name="back" size="small" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        className={styles.arrow ?? ''}
        aria-label={t('on', { shelf: name })}
        disabled={atEnd}
        onClick={push(1)}
      >
        <Icon name="onwards" size="small" />
      </ActionIcon>
    </Row>
  )
}

/** Where text is read from the right, the start is there, and what follows has negative positions. */
const onwardsIn = (element: Element): 1 | -1 => (getComputedStyle(element).direction === 'rtl' ? -1 : 1)

/** A scroll position this near to the end counts as the end: browsers round. */
const slack = 2

interface Position {
  readonly isLong: boolean
  readonly atStart: boolean
  readonly atEnd: boolean
}

const usePosition = (list: RefObject<HTMLUListElement | null>): Position => {
  const [position, setPosition] = useState({ isLong: false, atStart: true, atEnd: false })
  // The measurement happens before anything is painted, so that nothing moves to make room for the arrows.
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = (): void => {
      const { scrollWidth, clientWidth } = element
      const scrolled = Math.abs(element.scrollLeft)
      setPosition({
        isLong: scrollWidth > clientWidth + slack,
        atStart: scrolled <= slack,
        atEnd: scrolled + clientWidth >= scrollWidth - slack,
      })
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [list])
  return position
}
