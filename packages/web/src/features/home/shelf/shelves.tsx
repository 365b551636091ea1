import { type Home, type HomeShelf, readHome } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import { Row } from '../../../ui/layout/layout.tsx'
import { allOfShelf, isHomeShelf, itemsOf, laterInput, type LayoutItem, shelvesOf } from '../shelves.ts'
import { SearchShelf } from './search-shelf.tsx'
import { keyOfItem, ShelfCard } from './shelf-card.tsx'
import { ShelfFrame } from './shelf-frame.tsx'
import styles from './shelf.module.css'
import { useNear } from './use-near.ts'

interface ShelvesProps {
  readonly home: Home
  /** What stands below them comes with the last: before, nobody knows where that will be. */
  readonly children: ReactNode
}

/** The shelves from the top; those that are not seen yet come when they are near. */
export const Shelves = ({ home, children }: ShelvesProps): ReactNode => {
  const items = shelvesOf(home)
  const isLater = (item: LayoutItem): boolean => home.later.some((each) => each === item)
  const first = items.findIndex(isLater)
  if (first === -1)
    return (
      <>
        <ShelfLines items={items} home={home} />
        {children}
      </>
    )
  return (
    <>
      <ShelfLines items={items.slice(0, first)} home={home} />
      <LaterShelves items={items.slice(first)} later={home.later}>
        {children}
      </LaterShelves>
    </>
  )
}

interface LaterShelvesProps extends Pick<ShelvesProps, 'children'> {
  readonly items: readonly LayoutItem[]
  readonly later: readonly HomeShelf[]
}

const LaterShelves = ({ items, later, children }: LaterShelvesProps): ReactNode => {
  const [isNear, watch] = useNear()
  const { data } = useLater(readHome, laterInput(later), { enabled: isNear })
  if (data === undefined) return <div className={styles.coming} ref={watch} />
  return (
    <>
      <ShelfLines items={items} home={data} />
      {children}
    </>
  )
}

/** Fewer cards than this make half a shelf. */
const fewMax = 3

interface ShelfLinesProps {
  readonly items: readonly LayoutItem[]
  readonly home: Home
}

const ShelfLines = ({ items, home }: ShelfLinesProps): ReactNode =>
  inLines(items, home).map((line) => (
    <Row key={line[0]} gap={5} align="start" className={styles.line}>
      {line.map((item) =>
        isHomeShelf(item) ? (
          <HomeShelfRow key={item} shelf={item} home={home} />
        ) : (
          <SearchShelf key={item} item={item} />
        ),
      )}
    </Row>
  ))

/** Empty shelves are left out, and a short one stands on the line of the next. */
const inLines = (items: readonly LayoutItem[], home: Home): readonly (readonly LayoutItem[])[] => {
  const countOf = (item: LayoutItem): number => (isHomeShelf(item) ? itemsOf(home, item).length : Infinity)
  const lines: LayoutItem[][] = []
  for (const item of items.filter((each) => countOf(each) > 0)) {
    const before = lines.at(-1)
    const [short] = before ?? []
    if (before?.length === 1 && short !== undefined && countOf(short) <= fewMax && isHomeShelf(item)) before.push(item)
    else lines.push([item])
  }
  return lines
}

const HomeShelfRow = ({ shelf, home }: { readonly shelf: HomeShelf; readonly home: Home }): ReactNode => {
  const { t } = useTranslation('home')
  const items = itemsOf(home, shelf)
  return (
    <ShelfFrame name={t(`shelf.${shelf}`)} to={allOfShelf[shelf]} count={items.length}>
      {items.map((item) => (
        <li key={keyOfItem(item)}>
          <ShelfCard item={item} />
        </li>
      ))}
    </ShelfFrame>
  )
}
