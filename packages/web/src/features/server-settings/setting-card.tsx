import type { SettingDto } from '@carrel/api'
import { Button, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../session/me.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { SettingForm } from './setting-form.tsx'
import { useSettingText } from './setting-text.ts'
import styles from './settings.module.css'
import { useSetting } from './use-setting.ts'

interface SettingCardProps {
  readonly setting: SettingDto
  readonly onHistory: () => void
}

/** One setting: what it does, what it is, whence it comes, and how to change it. */
export const SettingCard = ({ setting, onHistory }: SettingCardProps): ReactNode => {
  const { t } = useTranslation('server-settings')
  const text = useSettingText()
  const mayChange = useMay('settings:write')
  const change = useSetting(setting)
  const { key, value, updatedAt, isSensitive } = setting
  const name = text.name(setting)
  return (
    <Stack as="li" gap={2} box pad={4} className={styles.card} data-setting={key}>
      <Row gap={3} rowGap={0} align="baseline" justify="between" wrap>
        <h3 className={styles.name}>
          {name}
          {updatedAt === null ? null : <Mark kind="busy">{t('changed')}</Mark>}
        </h3>
        <Text as="code" quiet size={12}>
          {key}
        </Text>
      </Row>
      <p className={styles.text}>{text.text(setting)}</p>
      {isSensitive || !mayChange ? (
        <p className={styles.value}>{isSensitive ? t('secret') : text.value(key, value)}</p>
      ) : typeof value === 'boolean' ? (
        <>
          <Switch
            aria-label={name}
            label={t(value ? 'on' : 'off')}
            checked={value}
            onChange={({ currentTarget }) => change.save(currentTarget.checked, '', () => undefined)}
          />
          {change.problem === undefined ? null : <Notice kind="danger">{change.problem}</Notice>}
        </>
      ) : (
        <SettingForm setting={setting} change={change} />
      )}
      <Row gap={2} rowGap={1} wrap touch className={styles.foot}>
        <Provenance setting={setting} />
        {updatedAt === null || !mayChange ? null : (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t('resetOf', { name })}
            loading={change.isPending}
            onClick={change.reset}
          >
            {t('reset')}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" aria-label={t('historyOf', { name })} onClick={onHistory}>
          {t('history')}
        </Button>
      </Row>
    </Stack>
  )
}

/** Bounds, default, and who changed it when. */
const Provenance = ({ setting }: { readonly setting: SettingDto }): ReactNode => {
  const { t } = useTranslation('server-settings')
  const text = useSettingText()
  const { moment } = useTimeText()
  const { key, value, defaultValue, minimum, maximum, updatedAt, updatedBy, isSensitive } = setting
  if (isSensitive) return null
  const isDefault = JSON.stringify(value) === JSON.stringify(defaultValue)
  const details = [
    minimum === null || maximum === null
      ? undefined
      : t('bounds', { from: text.value(key, minimum), to: text.value(key, maximum) }),
    isDefault ? t('isDefault') : t('default', { value: text.value(key, defaultValue) }),
    updatedAt === null
      ? isDefault
        ? undefined
        : t('fromConfiguration')
      : updatedBy === null
        ? t('changedAt', { when: moment(updatedAt) })
        : t('changedBy', { name: updatedBy.username, when: moment(updatedAt) }),
  ]
  return (
    <Text quiet size={13}>
      {details.filter((detail) => detail !== undefined).join(' · ')}
    </Text>
  )
}
