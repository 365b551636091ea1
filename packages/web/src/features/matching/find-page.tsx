import { listPluginActions, type PluginAction } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { PageRefused } from '../../frame/page-states.tsx'
import { paths } from '../../navigation/paths.ts'
import { Unmatch } from '../../metadata/unmatch.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import { forgetResults } from './asking.ts'
import { type Matchable, matchables } from './matchable.ts'
import type { MatchSearch } from './match-search.ts'
import { NoPlugin } from './no-plugin.tsx'
import { Preview } from './preview.tsx'
import { Search } from './search.tsx'
import { useGoing, useLeaving } from './use-going.ts'

const seriesRoute = getRouteApi('/signed-in/framed/series/$seriesId/match')
const bookRoute = getRouteApi('/signed-in/framed/books/$bookId/match')

export const FindSeriesPage = (): ReactNode => {
  const { seriesId } = seriesRoute.useParams()
  return <FindPage key={seriesId} of={matchables.series} id={seriesId} search={seriesRoute.useSearch()} />
}

export const FindBookPage = (): ReactNode => {
  const { bookId } = bookRoute.useParams()
  return <FindPage key={bookId} of={matchables.book} id={bookId} search={bookRoute.useSearch()} />
}

interface FindProps {
  readonly of: Matchable
  readonly id: string
  readonly search: MatchSearch
}

const FindPage = (props: FindProps): ReactNode => {
  const { permission } = props.of
  const mayEdit = useMay(permission)
  const mayReadLibraries = useMay('libraries:read')
  return mayEdit && mayReadLibraries ? <Find {...props} /> : <PageRefused />
}

/** The page searches plugins for a series or a book, and shows one of the results field by field. */
const Find = ({ of, id, search }: FindProps): ReactNode => {
  const { t } = useTranslation('matching')
  const shown = useRead(of.read, { params: { id } })
  const { title, libraryId } = shown
  const name = useItemName()(shown)
  const { actions } = useRead(listPluginActions, { query: { scope: `${of.kind}:detail`, libraryId } })
  const [first] = actions
  const plugin = search.plugin === undefined ? first : actions.find(({ pluginId }) => pluginId === search.plugin)
  const page = of.kind === 'series' ? paths.series(id) : paths.book(id)
  const edit = of.kind === 'series' ? paths.editSeries(id) : paths.editBook(id)
  return (
    <Page
      title={t('find.title')}
      subtitle={
        <AppLink to={page} dir="auto">
          {name}
        </AppLink>
      }
      actions={
        <Button component={AppLink} variant="default" to={edit}>
          {t('find.toEdit')}
        </Button>
      }
    >
      {first === undefined ? (
        <NoPlugin of="find" />
      ) : plugin === undefined ? (
        <PluginAway of={of} id={id} />
      ) : (
        <FindWithPlugin of={of} id={id} search={search} title={title} plugin={plugin} plugins={actions} />
      )}
    </Page>
  )
}

/** One that the address names, and that is off by now or not for this library: its words mean nothing to another. */
const PluginAway = ({ of, id }: Pick<FindProps, 'of' | 'id'>): ReactNode => {
  const { t } = useTranslation('matching')
  const go = useGoing(of, id)
  return (
    <EmptyState
      icon="plug"
      title={t('find.pluginAway')}
      text={t('find.pluginAwayText')}
      action={<Button onClick={() => go({})}>{t('find.askAnother')}</Button>}
    />
  )
}

interface FindWithPluginProps extends FindProps {
  readonly title: string
  readonly plugin: PluginAction
  readonly plugins: readonly PluginAction[]
}

const FindWithPlugin = ({ of, id, search, title, plugin, plugins }: FindWithPluginProps): ReactNode => {
  const go = useGoing(of, id)
  const leave = useLeaving()
  if (search.candidate !== undefined) {
    return (
      <Preview
        key={`${plugin.pluginId} ${search.candidate}`}
        of={of}
        id={id}
        plugin={plugin}
        externalId={search.candidate}
        matchId={search.match}
        onBack={() => (search.match === undefined ? go({ plugin: plugin.pluginId, q: search.q }) : leave())}
      />
    )
  }
  return (
    <>
      <EarlierValues of={of} id={id} plugin={plugin} />
      <Search of={of} id={id} title={title} plugin={plugin} plugins={plugins} query={search.q} onGo={go} />
    </>
  )
}

/** It shows when this plugin supplied values earlier, and can remove them. */
const EarlierValues = ({ of, id, plugin }: Pick<FindWithPluginProps, 'of' | 'id' | 'plugin'>): ReactNode => {
  const { t } = useTranslation('matching')
  const { data } = useLater(of.readSources, { params: { id } })
  const hasValues = Object.values(data?.fields ?? {}).some(({ values }) =>
    values.some(({ source }) => source === `plugin:${plugin.pluginName}`),
  )
  if (!hasValues) return null
  return (
    <Notice kind="info">
      {t('find.saidBefore', { plugin: plugin.pluginDisplayName })}{' '}
      <Unmatch
        kind={of.kind}
        id={id}
        plugin={plugin.pluginName}
        displayName={plugin.pluginDisplayName}
        onDone={() => void forgetResults()}
      />
    </Notice>
  )
}
