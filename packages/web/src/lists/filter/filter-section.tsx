import { readBookFacets, readSeriesFacets } from '@carrel/api'
import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { Center, Grid, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { choicesOf, type FilterName, filterFields, toggled, without } from './filters.ts'
import styles from './filters.module.css'
import { useItemText } from '../item/item-text.ts'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import { type Scope, listQueryOf } from '../search/sources.ts'
import { useFilterWords } from './use-filter-words.ts'
import { useListView } from '../search/use-list-view.ts'

interface SectionProps<K extends Kind> {
  readonly kind: K
  readonly name: FilterName
  readonly search: ListSearch<K>
  readonly scope: Scope
}

/** Most lists are narrowed by these: they are open from the start. */
export const commonFilters: ReadonlySet<FilterName> = new Set(['read', 'genre', 'status', 'format'])

/**
 * The section lists all values of one filter with their counts. Rarely used filters are counted only when they are
 * opened.
 */
export const FilterSection = <K extends Kind>(props: SectionProps<K>): ReactNode => {
  const { name, search } = props
  const words = useFilterWords()
  const text = useItemText()
  const chosen = choicesOf(search.filters, name).length
  const [isOpen, setOpen] = useState(chosen > 0)
  if (commonFilters.has(name))
    return (
      <section className={styles.section} aria-labelledby={`filter-${name}`}>
        <h3 className={styles.name} id={`filter-${name}`}>
          {words.name(name)}
        </h3>
        <Values {...props} />
      </section>
    )
  return (
    <details className={styles.section} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.summary}>
        {words.name(name)}
        {chosen > 0 ? <span className={styles.chosen}>{text.number(chosen)}</span> : null}
      </summary>
      {isOpen ? <Values {...props} /> : null}
    </details>
  )
}

const facetsAtMost = 500
const shownAtMost = 60

const Values = <K extends Kind>({ kind, name, search, scope }: SectionProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const words = useFilterWords()
  const go = useListView(kind)
  const [typed, setTyped] = useState('')
  const values = useFacet(kind, name, { search, scope })
  const chosen = choicesOf(search.filters, name)
  const known = new Map(values?.map(({ value, count }) => [String(value), count]))
  const all = [...new Set([...chosen.map(({ value }) => value), ...known.keys()])]
  const found = all.filter((value) => words.value(name, value).toLowerCase().includes(typed.trim().toLowerCase()))
  const toggle = (value: string, not: boolean): void =>
    go({ ...search, filters: toggled(search.filters, name, { value, not }) })
  if (values === undefined)
    return (
      <Text quiet className={styles.waiting}>
        {t('counting')}
      </Text>
    )
  return (
    <Stack gap={3} className={styles.values}>
      {all.length > 8 ? (
        <TextInput
          aria-label={t('findIn', { name: words.name(name) })}
          placeholder={t('find')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      ) : null}
      {chosen.filter(({ not }) => !not).length > 1 ? <EveryOrAny kind={kind} name={name} search={search} /> : null}
      {found.length === 0 ? (
        <Text quiet className={styles.waiting}>
          {t('noValues')}
        </Text>
      ) : null}
      <Grid as="ul" gap={4} rowGap={0} min={13}>
        {found.slice(0, shownAtMost).map((value) => (
          <Value
            key={value}
            words={words.value(name, value)}
            count={known.get(value)}
            state={chosen.find((choice) => choice.value === value)}
            onToggle={(not) => toggle(value, not)}
          />
        ))}
      </Grid>
      {found.length > shownAtMost ? (
        <Text quiet className={styles.waiting}>
          {t('moreValues', { count: found.length - shownAtMost })}
        </Text>
      ) : null}
    </Stack>
  )
}

interface ValueProps {
  readonly words: string
  readonly count: number | undefined
  readonly state: { readonly not: boolean } | undefined
  readonly onToggle: (not: boolean) => void
}

const Value = ({ words, count, state, onToggle }: ValueProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  return (
    <Row as="li" gap={2} justify="between" className={styles.value}>
      <Checkbox
        label={
          <span dir="auto">
            {words}{' '}
            {count === undefined ? null : (
              <Text as="span" quiet size={13} className={styles.count}>
                {text.number(count)}
              </Text>
            )}
          </span>
        }
        checked={state !== undefined && !state.not}
        onChange={() => onToggle(false)}
      />
      <Center
        as="button"
        type="button"
        className={styles.not}
        aria-pressed={state?.not === true}
        aria-label={t('leaveOut', { value: words })}
        title={t('leaveOut', { value: words })}
        onClick={() => onToggle(true)}
      >
        <Icon name="close" size="small" />
      </Center>
    </Row>
  )
}

const EveryOrAny = <K extends Kind>({ kind, name, search }: Omit<SectionProps<K>, 'scope'>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const { every } = search.filters
  const isEvery = every.includes(name)
  const next = isEvery ? every.filter((each) => each !== name) : [...every, name]
  return (
    <Checkbox
      label={t('every')}
      checked={isEvery}
      onChange={() => go({ ...search, filters: { ...search.filters, every: next } })}
    />
  )
}

/** The counts ignore what is chosen in this filter itself, so that the user sees what else there is to choose. */
const useFacet = <K extends Kind>(
  kind: K,
  name: FilterName,
  { search, scope }: Pick<SectionProps<K>, 'search' | 'scope'>,
) => {
  const facet = filterFields[name]
  const body = listQueryOf(kind, { ...search, filters: without(search.filters, name) }, scope)
  const input = { body: { ...body, facets: [facet], limit: facetsAtMost } } as never
  // Both endpoints take and give the same; the fields of the kind say which facets there are.
  const endpoint = (kind === 'series' ? readSeriesFacets : readBookFacets) as typeof readSeriesFacets
  const { data } = useLater(endpoint, input, { keepPrevious: true })
  return data?.facets[facet]
}
