import { listLibraries, listMetadataMatches, type MetadataMatch } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { everyLibrary, waitingInput } from './inputs.ts'
import { QueueCard } from './queue-card.tsx'
import styles from './queue.module.css'
import { ToAdministration } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/matches')

/** The queue holds uncertain matches of plugins: a user looks at them, and decides. */
export const QueuePage = (): ReactNode => {
  const { t } = useTranslation('matching')
  const search = route.useSearch()
  const { page = 1, library, of = 'series' } = search
  const navigate = route.useNavigate()
  const { data, total, totalPages } = useRead(listMetadataMatches, waitingInput(search))
  const go = (to: number): void => void navigate({ search: { ...search, page: to === 1 ? undefined : to } })
  const ofLibrary = library === undefined ? {} : { library }
  const isPast = data.length === 0 && total > 0
  return (
    <Page title={t('queue.title')} subtitle={total === 0 ? t('queue.text') : t(`queue.count.${of}`, { count: total })}>
      <Tabs
        label={t('queue.of')}
        link={AppLink}
        tabs={[
          { to: paths.matches(ofLibrary), label: t('queue.ofSeries'), isCurrent: of === 'series' },
          { to: paths.matches({ ...ofLibrary, of: 'book' }), label: t('queue.ofBooks'), isCurrent: of === 'book' },
        ]}
      />
      <OfLibrary />
      {total === 0 ? (
        <EmptyState icon="check" title={t('queue.none')} text={t('queue.noneText')} action={<ToAdministration />} />
      ) : isPast ? (
        <EmptyState
          icon="check"
          title={t('queue.pageDone')}
          action={<Button onClick={() => go(1)}>{t('queue.toFirst')}</Button>}
        />
      ) : (
        <Cards matches={data} />
      )}
      <Pager label={t('queue.title')} page={page} pages={totalPages} onGo={go} />
    </Page>
  )
}

const OfLibrary = (): ReactNode => {
  const { t } = useTranslation('matching')
  const { library = '', of } = route.useSearch()
  const navigate = route.useNavigate()
  const mayReadLibraries = useMay('libraries:read')
  const { data } = useLater(listLibraries, everyLibrary, { enabled: mayReadLibraries })
  const libraries = data?.data ?? []
  if (libraries.length < 2 && library === '') return null
  return (
    <NativeSelect
      className={styles.library ?? ''}
      label={t('queue.library')}
      value={library}
      data={[
        { value: '', label: t('queue.everyLibrary') },
        ...libraries.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) =>
        void navigate({
          search: { of, page: undefined, library: currentTarget.value === '' ? undefined : currentTarget.value },
        })
      }
    />
  )
}

/** One below the other; the keys are for the one that has the focus, and go on to the next when it is done. */
const Cards = ({ matches }: { readonly matches: readonly MetadataMatch[] }): ReactNode => {
  const { t } = useTranslation('matching')
  const list = useRef<HTMLOListElement>(null)
  const cards = (): HTMLElement[] => cardsIn(list.current)
  const findFocusedIndex = (): number => cards().findIndex((card) => card.contains(document.activeElement))
  const goBy = (step: number) => (): void => {
    const all = cards()
    const to = findFocusedIndex() === -1 ? 0 : Math.max(0, Math.min(all.length - 1, findFocusedIndex() + step))
    all[to]?.focus()
    all[to]?.scrollIntoView({ block: 'nearest' })
  }
  const press = (name: string) => (): void => {
    const current = cards()[Math.max(0, findFocusedIndex())]
    current?.querySelector<HTMLElement>(`[data-key="${name}"]`)?.click()
  }
  useFocusAfter(list)
  useShortcuts(t('queue.title'), [
    { keys: 'j', label: t('queue.keys.next'), run: goBy(1) },
    { keys: 'k', label: t('queue.keys.previous'), run: goBy(-1) },
    { keys: 'y', label: t('queue.keys.accept'), run: press('accept') },
    { keys: 'o', label: t('queue.keys.look'), run: press('look') },
    { keys: 'x', label: t('queue.keys.refuse'), run: press('refuse') },
  ])
  return (
    <>
      <Text quiet size={14} className={styles.hint}>
        {t('queue.hint')}
      </Text>
      <Stack as="ol" gap={4} className={styles.cards} ref={list} aria-label={t('queue.title')}>
        {matches.map((match) => (
          <QueueCard key={match.id} match={match} />
        ))}
      </Stack>
    </>
  )
}

const cardsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-match]') ?? []),
]

/** When what had the focus is done and gone, the one that took its place has it. */
const useFocusAfter = (list: { readonly current: HTMLOListElement | null }): void => {
  const last = useRef<{ readonly element: HTMLElement; readonly index: number }>(undefined)
  useEffect(() => {
    const element = list.current
    const note = ({ target }: FocusEvent): void => {
      const index = cardsIn(element).findIndex((card) => card.contains(target as Node))
      last.current = { element: target as HTMLElement, index }
    }
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [list])
  // The effect runs after every rendering, because the focused card may have disappeared with it.
  useEffect(() => {
    if (last.current === undefined || last.current.element.isConnected) return
    const cards = cardsIn(list.current)
    cards[Math.min(last.current.index, cards.length - 1)]?.focus()
  })
}
