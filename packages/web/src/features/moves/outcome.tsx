import type { MovedByHand } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../text/problem-text.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'

interface OutcomeProps {
  /** What the server says would happen. */
  readonly preview: { readonly data?: MovedByHand | undefined; readonly error: Error | null }
  /** What the series will be called, where somebody says so here. */
  readonly title?: string | undefined
  readonly isMerge?: boolean
}

/** One sentence says what will happen, before it does. */
export const Outcome = ({ preview: { data, error }, title, isMerge = false }: OutcomeProps): ReactNode => {
  const { t } = useTranslation('moves')
  const textOf = useProblemText()
  const listed = useListed()
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  if (!data) return <Text quiet>{t('looking')}</Text>
  const values = { count: data.movedBooks, title: title ?? data.title }
  const names = listed(data.emptied.map((series) => t('quoted', { title: series.title })))
  const { before, after } = data.ageRating
  return (
    <Stack gap={1} role="status">
      <Text>
        {data.movedBooks === 0 && data.emptied.length === 0
          ? t('will.nothing', values)
          : data.emptied.length === 0
            ? t('will.goes', values)
            : isMerge
              ? t('will.goesMerging', { ...values, names })
              : t('will.goesEmptying', { ...values, names })}
      </Text>
      {data.sharingTagsAdded.length === 0 ? null : (
        <Text quiet size={13}>
          {t('will.tags', { names: listed(data.sharingTagsAdded.map(({ name }) => name)) })}
        </Text>
      )}
      {after === null || after === before ? null : (
        <Text quiet size={13}>
          {t('will.rated', { age: after })}
        </Text>
      )}
    </Stack>
  )
}

const namedMax = 3

const useListed = (): ((names: readonly string[]) => string) => {
  const { t, i18n } = useTranslation('moves')
  const format = new Intl.ListFormat(i18n.resolvedLanguage, { type: 'conjunction' })
  return (names) => {
    const more = names.length - namedMax
    return format.format(more > 1 ? [...names.slice(0, namedMax), t('andMore', { count: more })] : names)
  }
}
