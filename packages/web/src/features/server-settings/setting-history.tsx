import { listSettingHistory, type SettingDto, type SettingHistoryEntry } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { useSettingText } from './setting-text.ts'
import styles from './settings.module.css'
import { useSetting } from './use-setting.ts'

const pageSize = 10

interface SettingHistoryProps {
  readonly setting: SettingDto
  readonly onClose: () => void
}

/** It lists former values of a setting, who set them and why; each can be restored. */
export const SettingHistory = ({ setting, onClose }: SettingHistoryProps): ReactNode => {
  const { t } = useTranslation('server-settings')
  const text = useSettingText()
  const textOf = useProblemText()
  const [page, setPage] = useState(1)
  const { key } = setting
  const { data, error } = useLater(
    listSettingHistory,
    { params: { key }, query: { page, pageSize } },
    { keepPrevious: true },
  )
  return (
    <Dialog title={t('historyOf', { name: text.name(setting) })} isOpen onClose={onClose} size="lg">
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      {data === undefined && !error ? <PageSkeleton /> : null}
      {data?.total === 0 ? <p className={styles.text}>{t('neverChanged')}</p> : null}
      <Stack as="ol" className={styles.history}>
        {data?.data.map((entry, index) => (
          <Past key={`${entry.at} ${index}`} setting={setting} entry={entry} />
        ))}
      </Stack>
      <Pager label={t('history')} page={page} pages={data?.totalPages ?? 1} onGo={setPage} />
    </Dialog>
  )
}

interface PastProps {
  readonly setting: SettingDto
  readonly entry: SettingHistoryEntry
}

const Past = ({ setting, entry: { at, by, oldValue, newValue, changeReason } }: PastProps): ReactNode => {
  const { t } = useTranslation('server-settings')
  const text = useSettingText()
  const { moment } = useTimeText()
  const mayChange = useMay('settings:write')
  const { save, isPending, problem } = useSetting(setting)
  const { key, value, isSensitive } = setting
  const isNow = JSON.stringify(value) === JSON.stringify(newValue)
  // The server records a reset with this fixed word.
  const why = changeReason === 'Reset' ? t('byReset') : changeReason
  const who = [moment(at), by?.username, why].filter(Boolean).join(' · ')
  return (
    <Row as="li" gap={4} rowGap={2} justify="between" wrap touch className={styles.past}>
      <Stack className={styles.change}>
        <Text as="span" quiet size={13}>
          {who}
        </Text>
        {isSensitive ? (
          <span>{t('secret')}</span>
        ) : (
          <span>
            <del>{text.value(key, oldValue)}</del> → <ins>{text.value(key, newValue)}</ins>
          </span>
        )}
        {problem === undefined ? null : <Notice kind="danger">{problem}</Notice>}
      </Stack>
      {isNow || isSensitive || !mayChange ? null : (
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending}
          aria-label={t('again', { value: text.value(key, newValue) })}
          onClick={() => save(newValue, '', () => undefined)}
        >
          {t('takeAgain')}
        </Button>
      )}
    </Row>
  )
}
