import type { PluginDto, PluginTestResult } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/me.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { ProblemNotice } from '../../ui/state/problem.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { useFaultText } from './fault-text.ts'
import { usePluginText } from './plugin-text.ts'
import styles from './plugins.module.css'
import { useReset, useSwitch, useTest } from './use-plugin-changes.ts'

/** It shows the state of the plugin, and the actions on it. */
export const Standing = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const text = usePluginText()
  const mayChange = useMay('plugins:write')
  const { word, kind, reason } = text.health(plugin)
  const times = text.times(plugin)
  return (
    <Stack as="section" gap={3} box pad={4} aria-label={t('standing')}>
      <div>
        <Text className={styles.health} role="status">
          <Mark kind={kind}>{word}</Mark> {reason}
        </Text>
        {times === '' ? null : (
          <Text quiet size={13}>
            {times}
          </Text>
        )}
        {plugin.manifest === null ? (
          <Text quiet size={13}>
            {t('testFirst')}
          </Text>
        ) : null}
      </div>
      {mayChange ? <Actions plugin={plugin} /> : null}
    </Stack>
  )
}

const Actions = ({ plugin }: { readonly plugin: PluginDto }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { enabled, manifest, failureCount, lastFailureAt, disabledReason } = plugin
  const onOff = useSwitch(plugin)
  const reset = useReset(plugin)
  const { test, isBusy, result, problem } = useTest(plugin)
  const hasFailed = failureCount > 0 || lastFailureAt !== null || disabledReason !== null
  return (
    <>
      <Row gap={2} wrap touch>
        <Button
          variant={enabled || manifest === null ? 'default' : 'filled'}
          loading={onOff.isBusy}
          onClick={() => onOff.switchTo(!enabled)}
        >
          {t(enabled ? 'switchOff' : 'switchOn')}
        </Button>
        <Button
          variant={manifest === null ? 'filled' : 'default'}
          loading={isBusy}
          leftSection={<Icon name="play" size="small" />}
          onClick={test}
        >
          {t('test.do')}
        </Button>
        {hasFailed ? (
          <Button variant="default" loading={reset.isBusy} onClick={reset.reset}>
            {t('reset')}
          </Button>
        ) : null}
      </Row>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {result === undefined || isBusy ? null : <TestResult result={result} />}
    </>
  )
}

/** The server writes an error like this: `TIMEOUT: It did not answer.` */
const coded = /^([A-Z_]+): (.*)$/s

const TestResult = ({ result }: { readonly result: PluginTestResult }): ReactNode => {
  const { t } = useTranslation('plugins')
  const { span } = useTimeText()
  const faultText = useFaultText()
  const { success, message, latencyMs } = result
  if (success)
    return <Notice kind="info">{latencyMs === null ? message : t('test.answers', { time: span(latencyMs) })}</Notice>
  const [, code, words] = coded.exec(message) ?? []
  return (
    <Notice kind="danger">
      {code === undefined ? null : <strong>{faultText(code)} </strong>}
      {words ?? message}
    </Notice>
  )
}
