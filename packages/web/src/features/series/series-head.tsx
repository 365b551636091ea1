import { readAverageRating, readSeriesRating, type ReadingAhead, type SeriesDetail } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { leadingFacts } from '../../lists/item/leading-facts.tsx'
import { searchFor } from '../../lists/search/list-search.ts'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { Chips } from '../../ui/detail/chips.tsx'
import { Stars } from '../../ui/detail/stars.tsx'
import { Synopsis } from '../../ui/detail/synopsis.tsx'
import { Badge, WorkHead } from '../../ui/detail/work-head.tsx'
import { SeriesActions } from './series-actions.tsx'
import { addressOfTab } from './tabs.ts'
import type { MainActionText } from '../../ui/detail/main-action.tsx'
import { YourState } from './your-state.tsx'

interface SeriesHeadProps {
  readonly series: SeriesDetail
  readonly ahead: ReadingAhead | undefined
  readonly main: MainActionText | undefined
}

export const SeriesHead = ({ series, ahead, main }: SeriesHeadProps): ReactNode => {
  const { t } = useTranslation('series')
  const { metadata } = series
  const to = (kind: 'genre' | 'tag') => (label: string) => ({ label, to: paths[kind](label) })
  return (
    <WorkHead
      kind="series"
      cover={
        <Cover
          key={series.coverVersion}
          src={seriesCover(series, 240)}
          thumbhash={series.placeholder}
          alt=""
          icon="series"
          isFirst
        />
      }
      thumbhash={series.placeholder}
      above={<AboveTitle series={series} />}
      title={series.title}
      facts={useFacts(series)}
      actions={<SeriesActions series={series} next={ahead?.next ?? undefined} main={main} />}
      side={ahead && <YourState series={series} ahead={ahead} />}
    >
      {series.summary === null ? null : <Synopsis text={series.summary} />}
      <Chips
        label={t('genresAndTags')}
        link={AppLink}
        chips={[...metadata.genres.map(to('genre')), ...metadata.tags.map(to('tag'))]}
      />
    </WorkHead>
  )
}

const AboveTitle = ({ series: { libraryId, libraryName, metadata } }: Pick<SeriesHeadProps, 'series'>): ReactNode => {
  const { t } = useTranslation('series')
  const { status, readingDirection, ageRating } = metadata
  return (
    <>
      <AppLink to={paths.library(libraryId)} dir="auto">
        {libraryName}
      </AppLink>
      {status === null || status === 'unknown' ? null : <Badge>{t(`status.${status}`)}</Badge>}
      {readingDirection === 'rtl' ? <Badge>{t('rightToLeft')}</Badge> : null}
      {ageRating === null || ageRating === 0 ? null : <Badge>{t('fromAge', { age: ageRating })}</Badge>}
    </>
  )
}

/** Who made it, when, how much of it there is, who published it, and how it is liked. */
const useFacts = (series: SeriesDetail): ReactNode[] => {
  const { id, metadata, publisher, bookCount, localMaxVolume } = series
  const { t } = useTranslation('series')
  const text = useItemText()
  const params = { id }
  const { data: own } = useLater(readSeriesRating, { params }, { enabled: useMay('progress:read') })
  const { data: everybody } = useLater(readAverageRating, { params })
  const average = everybody && everybody.count > 0 ? everybody.average : null
  return [
    ...leadingFacts({ people: metadata.authors, toAll: addressOfTab(id, 'details') }),
    yearsOf(series),
    localMaxVolume === null ? text.count('books', bookCount) : t('volumeCount', { count: bookCount }),
    publisher === null ? undefined : (
      <AppLink to={paths.seriesList() + searchFor('publisher', publisher)} dir="auto">
        {publisher}
      </AppLink>
    ),
    own?.rating !== undefined ? (
      <Stars value={own.rating / 20} label={t('yourRating')} />
    ) : average === null ? undefined : (
      <Stars value={average / 20} label={t('averageRating')} />
    ),
  ]
}

/** `2009–2020`; `2009–` while more is to come. */
const yearsOf = ({ year, firstYear, lastYear, metadata }: SeriesDetail): string | undefined => {
  const from = year ?? firstYear
  if (from === null) return undefined
  if (metadata.status === 'ongoing') return `${from}–`
  return lastYear === null || lastYear <= from ? String(from) : `${from}–${lastYear}`
}
