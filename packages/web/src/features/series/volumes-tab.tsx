import type { SeriesDetail } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import { ActionIcon } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isFiltered } from '../../lists/filter/filters.ts'
import { ItemList } from '../../lists/item-list.tsx'
import { parseListSearch } from '../../lists/search/list-search.ts'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { useGapCards } from './use-gap-cards.ts'
import styles from './series-page.module.css'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/series/$seriesId')

/** All that is there of a series, in its order, with what is missing in between. */
export const VolumesTab = ({ series: { id, title } }: { readonly series: SeriesDetail }): ReactNode => {
  const { t } = useTranslation('series')
  const search = parseListSearch('books', route.useSearch())
  const gaps = useGapCards(id)
  const isNarrowed = isFiltered(search.filters) || search.sorting !== undefined || search.layout === 'table'
  const [isOpen, setOpen] = useState(isNarrowed)
  return (
    <Stack gap={3} className={styles.volumes} data-has-tools={isOpen}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.toggle ?? ''}
        aria-label={t('tools')}
        title={t('tools')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="sort" size="small" />
      </ActionIcon>
      <ItemList
        kind="books"
        scope={{ seriesId: id }}
        search={search}
        gaps={gaps}
        label={t('booksOf', { title })}
        empty={<EmptyState icon="book" title={t('noBooks')} text={t('noBooksText')} action={<WayOut />} />}
      />
    </Stack>
  )
}
