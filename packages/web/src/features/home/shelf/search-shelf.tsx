import {
  type FilterPresetDto,
  listBooksByCondition,
  listFilterPresets,
  listSeriesByCondition,
  type SearchShelf as SearchShelfItem,
} from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useLater } from '../../../api/queries.ts'
import { addressOfPreset } from '../../../lists/search/preset-address.ts'
import { presetOf } from '../shelves.ts'
import { keyOfItem, ShelfCard } from './shelf-card.tsx'
import { ShelfFrame } from './shelf-frame.tsx'
import styles from './shelf.module.css'
import { useNear } from './use-near.ts'

/** What a saved search finds, as a shelf; one that was deleted is not there. */
export const SearchShelf = ({ item }: { readonly item: SearchShelfItem }): ReactNode => {
  const [isNear, watch] = useNear()
  const { data } = useLater(listFilterPresets, { query: {} }, { enabled: isNear })
  const preset = data?.presets.find(({ id }) => id === presetOf(item))
  if (data === undefined) return <div className={styles.coming} ref={watch} />
  return preset === undefined ? null : <ResultsShelf preset={preset} />
}

const shownMax = 20

const ResultsShelf = ({ preset }: { readonly preset: FilterPresetDto }): ReactNode => {
  const { t } = useTranslation('home')
  const { data, isError } = useQuery(foundBy(preset))
  const items = data?.body.data ?? []
  if (data === undefined && !isError) return <div className={styles.coming} />
  if (items.length === 0)
    return (
      <div className={styles.coming}>
        <h2 className={styles.heading}>{preset.name}</h2>
        <p className={styles.note}>{t('foundNothing')}</p>
      </div>
    )
  return (
    <ShelfFrame name={preset.name} to={addressOfPreset(preset)} note={t('savedSearch')} count={items.length}>
      {items.map((each) => (
        <li key={keyOfItem(each)}>
          <ShelfCard item={each} />
        </li>
      ))}
    </ShelfFrame>
  )
}

/** Series and books differ in the words of their conditions and orders alone. */
const foundBy = ({ target, condition, query: text, sort, libraryId }: FilterPresetDto) => {
  const ofLibrary = { libraryId: { operator: 'is', value: libraryId } }
  const body = {
    condition: libraryId === null ? condition : { allOf: [ofLibrary, condition] },
    ...(text !== null && { fullTextSearch: text }),
  }
  const input = { query: { page: 1, pageSize: shownMax, ...(sort !== null && { sort }) }, body } as never
  const endpoint = target === 'series' ? listSeriesByCondition : listBooksByCondition
  return query(endpoint as typeof listSeriesByCondition, input)
}
