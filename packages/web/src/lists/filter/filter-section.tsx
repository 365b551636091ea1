import { Checkbox, VisuallyHidden } from '@mantine/core'
import { type ReactNode, startTransition, useOptimistic, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Center, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { type Choice, choicesOf, type FilterName, filterFields, toggled, without } from './filters.ts'
import styles from './filters.module.css'
import { nextPaint } from '../../ui/state/next-paint.ts'
import { useItemText } from '../item/item-text.ts'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import type { Scope } from '../search/sources.ts'
import { useFacet } from './use-facet.ts'
import { useFilterWords } from './use-filter-words.ts'
import { useListNavigation, useListView } from '../search/use-list-view.ts'

interface SectionProps<K extends Kind> {
  readonly kind: K
  readonly name: FilterName
  readonly search: ListSearch<K>
  readonly scope: Scope
  /** Only values that contain it are shown, from whatever section. */
  readonly typed: string
}

/** Most lists are narrowed by these: they are open from the start. */
export const commonFilters: ReadonlySet<FilterName> = new Set(['genre', 'status'])

/**
 * The section lists all values of one filter with their counts. Rarely used filters are counted only when they are
 * opened, or something is looked for.
 */
export const FilterSection = <K extends Kind>(props: SectionProps<K>): ReactNode => {
  const { name, search, typed } = props
  const words = useFilterWords()
  const text = useItemText()
  const chosen = choicesOf(search.filters, name).length
  const [isOpen, setOpen] = useState(chosen > 0)
  if (typed !== '') return <MatchingValues {...props} />
  if (commonFilters.has(name)) return <MatchingValues {...props} />
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

const shownAtMost = 60
const shownAtFirst = 6

/** Without any values there is nothing to say. */
const MatchingValues = <K extends Kind>(props: SectionProps<K>): ReactNode => {
  const words = useFilterWords()
  const { matching } = useValues(props)
  if (matching.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby={`filter-${props.name}`}>
      <h3 className={styles.name} id={`filter-${props.name}`}>
        {words.name(props.name)}
      </h3>
      <Values {...props} />
    </section>
  )
}

/** What can be chosen, those that are chosen among it, and how many entries have each. */
const useValues = <K extends Kind>({ kind, name, search, scope, typed }: SectionProps<K>) => {
  const words = useFilterWords()
  const filters = without(search.filters, name)
  const values = useFacet(kind, filterFields[name], { search: { ...search, filters }, scope })
  const chosen = choicesOf(search.filters, name)
  const counts = new Map(values?.map(({ value, count }) => [String(value), count]))
  const all = [...new Set([...counts.keys(), ...chosen.map(({ value }) => value)])]
  const matching = all.filter((value) => words.value(name, value).toLowerCase().includes(typed.toLowerCase()))
  return { isCounted: values !== undefined, counts, chosen, matching }
}

const Values = <K extends Kind>(props: SectionProps<K>): ReactNode => {
  const { kind, name, search, typed } = props
  const { t } = useTranslation('lists')
  const words = useFilterWords()
  const go = useListNavigation(kind)
  const [isLong, setLong] = useState(false)
  const { isCounted, counts, chosen, matching } = useValues(props)
  if (!isCounted)
    return (
      <Text quiet className={styles.waiting}>
        {t('counting')}
      </Text>
    )
  const isChosen = (value: string): boolean => chosen.some((choice) => choice.value === value)
  const few = matching.filter((value, index) => index < shownAtFirst || isChosen(value))
  const shown = isLong || typed !== '' ? matching.slice(0, shownAtMost) : few
  return (
    <Stack gap={1} className={styles.values}>
      {matching.length === 0 ? (
        <Text quiet className={styles.waiting}>
          {t('noValues')}
        </Text>
      ) : null}
      <Stack as="ul">
        {shown.map((value) => (
          <Value
            key={value}
            words={words.value(name, value)}
            count={counts.get(value) ?? 0}
            state={stateOf(chosen.find((choice) => choice.value === value))}
            onToggle={(not) => go({ ...search, filters: toggled(search.filters, name, { value, not }) })}
          />
        ))}
      </Stack>
      {shown.length === matching.length ? null : shown === few ? (
        <button type="button" className={styles.more} onClick={() => setLong(true)}>
          {t('showMore', { count: matching.length - few.length })}
        </button>
      ) : (
        <Text quiet className={styles.waiting}>
          {t('moreValues', { count: matching.length - shown.length })}
        </Text>
      )}
      {chosen.filter(({ not }) => !not).length > 1 ? <EveryOrAny kind={kind} name={name} search={search} /> : null}
    </Stack>
  )
}

type State = 'in' | 'out' | 'none'

const stateOf = (choice: Choice | undefined): State => (choice === undefined ? 'none' : choice.not ? 'out' : 'in')

interface ValueProps {
  readonly words: string
  readonly count: number
  readonly state: State
  readonly onToggle: (not: boolean) => Promise<void>
}

const checked = { in: true, out: 'mixed', none: false } as const
const afterClick = { none: 'in', in: 'out', out: 'none' } as const

/** The first click lets in what has it, the second leaves it out, the third forgets about it. */
const Value = ({ words, count, state: given, onToggle }: ValueProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const [state, showState] = useOptimistic(given)
  // The mark is seen first. To go to the address of what is chosen draws half of the page anew.
  const toggle = (): void =>
    startTransition(async () => {
      showState(afterClick[state])
      await nextPaint()
      await onToggle(state !== 'none')
    })
  return (
    <li>
      <Row
        as="button"
        gap={2}
        type="button"
        role="checkbox"
        aria-checked={checked[state]}
        className={styles.value}
        data-state={state}
        title={state === 'in' ? t('leaveOut', { value: words }) : undefined}
        onClick={toggle}
      >
        <Center as="span" className={styles.check} aria-hidden="true">
          {state === 'none' ? null : <Icon name={state === 'in' ? 'check' : 'minus'} size="small" />}
        </Center>
        {state === 'out' ? <VisuallyHidden component="span">{`${t('not')} `}</VisuallyHidden> : null}
        <span className={styles.words} dir="auto">
          {words}
        </span>{' '}
        <span className={styles.count}>{text.number(count)}</span>
      </Row>
    </li>
  )
}

const EveryOrAny = <K extends Kind>({ kind, name, search }: Omit<SectionProps<K>, 'scope' | 'typed'>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const { every } = search.filters
  const isEvery = every.includes(name)
  const next = isEvery ? every.filter((each) => each !== name) : [...every, name]
  return (
    <Checkbox
      size="xs"
      label={t('every')}
      checked={isEvery}
      onChange={() => go({ ...search, filters: { ...search.filters, every: next } })}
    />
  )
}
