import { listWantToRead, type RecommendationDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Grid, Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { arranged } from './arranged.ts'
import { RecommendationCard } from './recommendation-card.tsx'
import styles from './recommendations.module.css'

/** Nobody looks through more than this at once. */
const atOnce = 48
/** Only entries added to the list recently are known; an older entry is discovered when it is added again. */
const wantToReadInput = { query: { sort: 'newest', pageSize: 100 } } as const

interface ShownProps {
  readonly recommendations: readonly RecommendationDto[]
  readonly source: string | undefined
  readonly sort: 'source' | undefined
  readonly hasSeveral: boolean
}

export const ShownRecommendations = ({ recommendations, source, sort, hasSeveral }: ShownProps): ReactNode => {
  const { t } = useTranslation('recommendations')
  const [atMost, setAtMost] = useState(atOnce)
  const { data: wantToRead } = useLater(listWantToRead, wantToReadInput)
  const cards = useRef<HTMLDivElement>(null)
  const { groups, total } = arranged(recommendations, { source, sort, atMost })
  const ids = groups.flatMap(({ items }) => items.map(({ externalId }) => externalId))
  const leave = useNextInstead(cards, ids)
  if (total === 0)
    return (
      <EmptyState
        icon="filter"
        title={t('noneOfSource')}
        action={
          <Button component={AppLink} to={paths.recommendations()}>
            {t('showAll')}
          </Button>
        }
      />
    )
  const listOf = (label: string, items: readonly RecommendationDto[], level: 'h2' | 'h3'): ReactNode => (
    <Grid as="ul" gap={3} min={24} aria-label={label}>
      {items.map((each) => (
        <RecommendationCard
          key={each.externalId}
          recommendation={each}
          heading={level}
          plugin={hasSeveral && sort === undefined ? each.sourcePlugin : undefined}
          isOnList={
            wantToRead?.data.some(({ seriesId }) => seriesId !== null && seriesId === each.serviceSeriesId) ?? false
          }
          onLeave={() => leave(each.externalId)}
        />
      ))}
    </Grid>
  )
  return (
    <Stack gap={5} ref={cards}>
      {groups.map(({ name, items }) =>
        name === undefined ? (
          <div key="">{listOf(t('title'), items, 'h2')}</div>
        ) : (
          <Section key={name} title={name}>
            {listOf(name, items, 'h3')}
          </Section>
        ),
      )}
      {total > ids.length ? (
        <Button variant="default" className={styles.more ?? ''} onClick={() => setAtMost(atMost + atOnce)}>
          {t('showMore', { count: total - ids.length })}
        </Button>
      ) : null}
    </Stack>
  )
}

/** When a card with the keyboard focus disappears, the focus goes to the card that takes its place. */
const useNextInstead = (
  cards: React.RefObject<HTMLElement | null>,
  ids: readonly string[],
): ((externalId: string) => void) => {
  const leaving = useRef<{ readonly externalId: string; readonly index: number }>(undefined)
  useEffect(() => {
    const { externalId, index } = leaving.current ?? {}
    if (externalId === undefined || index === undefined || ids.includes(externalId)) return
    leaving.current = undefined
    const headings = cards.current?.querySelectorAll<HTMLElement>('article :is(h2, h3)') ?? []
    headings[Math.min(index, headings.length - 1)]?.focus()
  })
  return (externalId) => {
    leaving.current = { externalId, index: ids.indexOf(externalId) }
  }
}
