import type { BookDto, Home, HomeShelf, SeriesDto } from '@carrel/api'
import { ActionIcon } from '@mantine/core'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { bookCover } from '../../lists/item/addresses.ts'
import { BookCard, SeriesCard } from '../../lists/item/item-card.tsx'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover/cover-card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Shelf } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './home-page.module.css'
import { newOfSeries, type NewOfSeries, useRecentBooks } from './recent-books.ts'
import { allOfShelf, itemsOf } from './shelves.ts'

interface ShelfRowProps {
  readonly shelf: HomeShelf
  readonly home: Home
}

/** One shelf, with the way to all that is on it. */
export const ShelfRow = ({ shelf, home }: ShelfRowProps): ReactNode => {
  const recent = useRecentBooks(home)
  const items = shelf === 'recentlyAddedBooks' ? newOfSeries(recent) : itemsOf(home, shelf)
  return items.length === 0 ? null : <FilledShelf shelf={shelf} items={items} />
}

const coverWidth = 150

const FilledShelf = ({
  shelf,
  items,
}: {
  readonly shelf: HomeShelf
  readonly items: readonly (BookDto | SeriesDto | NewOfSeries)[]
}): ReactNode => {
  const { t } = useTranslation('home')
  const list = useRef<HTMLUListElement>(null)
  const position = usePosition(list)
  const name = t(`shelf.${shelf}`)
  const all = allOfShelf[shelf]
  return (
    <Section
      title={name}
      actions={
        <>
          <Arrows list={list} name={name} position={position} />
          {all === undefined ? null : (
            <Row as={AppLink} inline to={all} className={styles.all} aria-label={t('allOf', { shelf: name })}>
              {t('all')}
            </Row>
          )}
        </>
      }
    >
      <Shelf as="ul" gap={4} className={styles.shelf} aria-label={name} ref={list}>
        {items.map((item) => (
          <li key={item.id}>
            {'count' in item ? (
              <NewCard {...item} />
            ) : 'seriesId' in item ? (
              <BookCard book={item} width={coverWidth} isPatient />
            ) : (
              <SeriesCard series={item} width={coverWidth} isPatient />
            )}
          </li>
        ))}
      </Shelf>
    </Section>
  )
}

/** Several books of a series that came one after the other. */
const NewCard = ({ newest, count }: NewOfSeries): ReactNode => {
  const { t } = useTranslation('home')
  return (
    <CoverCard
      title={newest.seriesName}
      subtitle={t('newBooks', { count })}
      src={bookCover(newest, coverWidth)}
      thumbhash={newest.placeholder}
      icon="series"
      isPatient
      to={paths.series(newest.seriesId)}
      link={AppLink}
    />
  )
}

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
  const push = (by: 1 | -1) => () =>
    list.current?.scrollBy({ left: by * onwardsIn(list.current) * list.current.clientWidth * 0.8 })
  return (
    <Row as="span" gap={1} align="stretch" inline className={styles.arrows}>
      <ActionIcon variant="default" aria-label={t('back', { shelf: name })} disabled={atStart} onClick={push(-1)}>
        <Icon name="back" size="small" />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('on', { shelf: name })} disabled={atEnd} onClick={push(1)}>
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
