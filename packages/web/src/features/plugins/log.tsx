import { readPluginLog } from '@carrel/api'
import { Box, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { logInput } from './inputs.ts'
import styles from './plugins.module.css'

/** It shows the plugin's log, the latest line last. */
export const PluginLog = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { moment } = useTimeText()
  const textOf = useProblemText()
  const [before, setBefore] = useState<string>()
  const { data, error, refetch, isFetching } = useLater(readPluginLog, logInput(id, before), { keepPrevious: true })
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  if (data === undefined) return null
  const { lines, before: older } = data
  if (lines.length === 0 && before === undefined) return <Section title={t('log.title')} text={t('log.none')} />
  const toLatest = (): void => (before === undefined ? void refetch() : setBefore(undefined))
  return (
    <Section title={t('log.title')} text={t('log.text')}>
      <Box component="pre" className={styles.log ?? ''} role="region" aria-label={t('log.title')} tabIndex={0}>
        {lines.map(({ id, at, text }) => (
          <span key={id}>
            <time dateTime={at}>{moment(at)}</time> {text}
            {'\n'}
          </span>
        ))}
      </Box>
      <Row gap={2} wrap touch>
        <Button variant="default" loading={isFetching} onClick={toLatest}>
          {t('log.latest')}
        </Button>
        {older === null ? null : (
          <Button variant="default" onClick={() => setBefore(older)}>
            {t('log.older')}
          </Button>
        )}
      </Row>
    </Section>
  )
}
