import { readBookLetters, readSeriesLetters } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Center } from '../../ui/layout/layout.tsx'
import { fewLetters } from './few-letters.ts'
import styles from './letters-rail.module.css'
import type { Kind } from '../kinds.ts'
import { type ListSearch, usualSorting } from '../search/list-search.ts'
import { type Scope, listQueryOf } from '../search/sources.ts'

interface LettersRailProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly total: number | undefined
  /** The first that is seen. */
  readonly shown: number
  readonly onGo: (index: number) => void
}

/** In a list shorter than this, scrolling is as fast. */
const worthwhile = 40

/** The rail stands at the edge of a long list sorted by name and shows where each letter begins. */
export const LettersRail = <K extends Kind>(props: LettersRailProps<K>): ReactNode => {
  const { kind, search, scope, total = 0, shown, onGo } = props
  const { t } = useTranslation('lists')
  const { order, isDown } = search.sorting ?? usualSorting<K>(search.filters, scope) ?? {}
  const enabled = order === 'name' && total >= worthwhile && search.filters.text === undefined
  // Pages of one: then the page is the position.
  const input = { query: { pageSize: 1 }, body: listQueryOf(kind, search, scope) as never }
  const endpoint = kind === 'series' ? readSeriesLetters : readBookLetters
  const { data } = useLater(endpoint as typeof readSeriesLetters, input, { enabled })
  if (!enabled || !data || data.letters.length < 2) return null
  const letters = fewLetters(data.letters)
    .map(({ letter, page, count }) => ({ letter, index: isDown ? total - (page - 1) - count : page - 1 }))
    .toSorted((a, b) => a.index - b.index)
  const current = letters.findLast(({ index }) => index <= shown)
  return (
    <div className={styles.way}>
      <nav className={styles.rail} aria-label={t('letters')}>
        {letters.map(({ letter, index }) => (
          <Center
            as="button"
            key={letter}
            type="button"
            className={styles.letter}
            aria-label={t('toLetter', { letter })}
            aria-current={letter === current?.letter}
            onClick={() => onGo(index)}
          >
            {letter}
          </Center>
        ))}
      </nav>
    </div>
  )
}
