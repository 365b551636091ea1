import type { PileOfBooks } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bookCover } from '../../../lists/item/addresses.ts'
import { BookCard, SeriesCard } from '../../../lists/item/item-card.tsx'
import { useItemText } from '../../../lists/item/item-text.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { CoverCard } from '../../../ui/cover/cover-card.tsx'
import { toned } from '../../../ui/cover/toned.ts'
import type { ShelfItem } from '../shelves.ts'
import { pileRange } from './pile-range.ts'
import styles from './shelf.module.css'

const coverWidth = 152

export const keyOfItem = (item: ShelfItem): string => ('count' in item ? item.book.id : item.id)

/** A book, a series, or several books of a series that came together. */
export const ShelfCard = ({ item }: { readonly item: ShelfItem }): ReactNode => {
  if ('count' in item) {
    if (item.count > 1) return <PileCard pile={item} />
    return <BookCard book={item.book} width={coverWidth} isPatient />
  }
  if ('seriesId' in item) return <BookCard book={item} width={coverWidth} isPatient />
  return <SeriesCard series={item} width={coverWidth} isPatient />
}

const PileCard = ({ pile }: { readonly pile: PileOfBooks }): ReactNode => {
  const { book, count } = pile
  const { className, style } = toned(book.tone)
  const text = useItemText()
  return (
    <div className={`${styles.pile ?? ''} ${className ?? ''}`} style={style}>
      <CoverCard
        title={book.seriesName}
        subtitle={usePileText()(pile)}
        badge={<span aria-hidden="true">{text.number(count)}</span>}
        src={bookCover(book, coverWidth)}
        thumbhash={book.placeholder}
        icon="series"
        isPatient
        to={book.seriesId === null ? paths.book(book.id) : paths.series(book.seriesId)}
        link={AppLink}
      />
    </div>
  )
}

/** `12 volumes · 13–24`. */
const usePileText = (): ((pile: PileOfBooks) => string) => {
  const { t } = useTranslation('home')
  return (pile) => {
    const { book, count } = pile
    const areVolumes = book.volume !== null && (book.number === null || book.number === book.volume)
    const range = pileRange(pile)
    return [t(areVolumes ? 'pileOfVolumes' : 'pileOfBooks', { count }), range].filter(Boolean).join(' · ')
  }
}
