import type { PluginAction } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { searching } from './asking.ts'
import { Candidate, Candidates } from './candidate.tsx'
import { AskFailed } from './failure.tsx'
import type { Matchable } from './matchable.ts'
import styles from './matching.module.css'
import { addressFor, type Go } from './use-going.ts'

interface SearchProps {
  readonly of: Matchable
  readonly id: string
  readonly title: string
  readonly plugin: PluginAction
  readonly plugins: readonly PluginAction[]
  readonly query: string | undefined
  readonly onGo: Go
}

const useSearchResults = (...input: Parameters<typeof searching>) => useInfiniteQuery(searching(...input))

/** The form says which plugin is asked for what; the list below shows what it finds. */
export const Search = ({ of, id, title, plugin, plugins, query, onGo }: SearchProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { pluginId } = plugin
  const results = useSearchResults(of, id, { pluginId, query })
  const [typed, setTyped] = useState<string>()
  const pages = results.data?.pages ?? []
  const words = typed ?? query ?? pages[0]?.query ?? title
  const search = (event: FormEvent): void => {
    event.preventDefault()
    setTyped(undefined)
    const next = words.trim()
    if (next === (query ?? pages[0]?.query)) void results.refetch()
    else onGo({ plugin: pluginId, q: next })
  }
  return (
    <>
      <Form onSubmit={search}>
        <Row gap={3} align="end" wrap className={styles.search}>
          {plugins.length < 2 ? null : (
            <NativeSelect
              label={t('find.plugin')}
              value={pluginId}
              data={plugins.map((each) => ({ value: each.pluginId, label: each.pluginDisplayName }))}
              onChange={({ currentTarget }) => onGo({ plugin: currentTarget.value, q: typed ?? query })}
            />
          )}
          <TextField
            className={styles.words ?? ''}
            type="search"
            dir="auto"
            label={t('find.words')}
            required
            pattern=".*\S.*"
            maxLength={500}
            value={words}
            onChange={setTyped}
          />
          <Button type="submit" loading={results.isFetching && !results.isFetchingNextPage}>
            {t('find.search')}
          </Button>
        </Row>
      </Form>
      <Results of={of} id={id} plugin={plugin} query={query} results={results} />
    </>
  )
}

interface ResultsProps extends Pick<SearchProps, 'of' | 'id' | 'plugin' | 'query'> {
  readonly results: ReturnType<typeof useSearchResults>
}

const Results = ({ of, id, plugin, query, results: found }: ResultsProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { data, error, isPending, isFetching, hasNextPage, isFetchingNextPage } = found
  if (isPending) return <PageSkeleton />
  const results = data?.pages.flatMap((page) => page.results) ?? []
  const name = plugin.pluginDisplayName
  return (
    <>
      {error === null ? null : (
        <AskFailed error={error} plugin={plugin} isTrying={isFetching} onRetry={() => void found.refetch()} />
      )}
      {results.length === 0 && error === null ? (
        <EmptyState icon="search" title={t('find.none', { plugin: name })} text={t('find.noneText')} />
      ) : null}
      <Candidates label={t('find.results')}>
        {results.map((candidate, index) => (
          <Candidate
            key={`${index} ${candidate.externalId}`}
            candidate={candidate}
            to={addressFor(of, id, { plugin: plugin.pluginId, q: query, candidate: candidate.externalId })}
          />
        ))}
      </Candidates>
      {hasNextPage ? (
        <Button
          className={styles.more ?? ''}
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('find.more')}
        </Button>
      ) : null}
    </>
  )
}
