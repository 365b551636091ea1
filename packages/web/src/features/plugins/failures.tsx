import { type PluginFailureDto, readPluginFailures } from '@carrel/api'
import { Box } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { useFaultText } from './fault-text.ts'
import { failuresInput, failuresOnPage } from './inputs.ts'
import styles from './plugins.module.css'

const route = getRouteApi('/signed-in/framed/administered/admin/plugins/$pluginId')

/** It shows failures, the latest first, and the last lines of the plugin's log. */
export const Failures = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { span } = useTimeText()
  const textOf = useProblemText()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error } = useLater(readPluginFailures, failuresInput(id, page), { keepPrevious: true })
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  if (data === undefined) return null
  const { failures, total, windowFailures, windowSeconds, threshold } = data
  const rule = t('failures.rule', { count: threshold, time: span(windowSeconds * 1000) })
  const now = windowFailures === 0 ? t('failures.noneNow') : t('failures.now', { count: windowFailures })
  return (
    <Section title={t('failures.title')} text={total === 0 ? t('failures.none', { rule }) : `${now} ${rule}`}>
      <RowList label={t('failures.title')}>
        {failures.map((failure) => (
          <FailureRow key={failure.id} failure={failure} />
        ))}
      </RowList>
      <Pager
        label={t('failures.title')}
        page={page}
        pages={Math.ceil(total / failuresOnPage)}
        onGo={(to) => void navigate({ search: { page: to === 1 ? undefined : to } })}
      />
    </Section>
  )
}

const FailureRow = ({ failure }: { readonly failure: PluginFailureDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { moment } = useTimeText()
  const faultText = useFaultText()
  const { errorCode, errorMessage, method, context, occurredAt } = failure
  return (
    <ListRow
      icon="warning"
      title={faultText(errorCode)}
      text={
        <>
          {moment(occurredAt)}
          {method === null ? null : (
            <>
              {' · '}
              <code>{method}</code>
            </>
          )}
          <br />
          {errorMessage}
        </>
      }
    >
      {context === null ? null : (
        <details>
          <summary>{t('failures.lastWords')}</summary>
          <Box
            component="pre"
            className={styles.log ?? ''}
            role="region"
            aria-label={t('failures.lastWords')}
            tabIndex={0}
          >
            {context.lastWords}
          </Box>
        </details>
      )}
    </ListRow>
  )
}
